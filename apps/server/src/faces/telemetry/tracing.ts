import type { FastifyInstance } from 'fastify'

import type { Answers } from '../../operations/answering/answering.ts'

/** Sends traces and metrics to an OpenTelemetry collector. */
export type Tracing = {
  /** Makes a span of every request. */
  register(server: FastifyInstance): void
  /** The same answers, each asked within a span. */
  traced(answers: Answers): Answers
  /** A turn of a pipeline's stage that is over. */
  stage(cluster: string, stage: string, tookMs: number): void
  /** Sends what is left, for a few seconds at most. */
  stop(): Promise<void>
}
