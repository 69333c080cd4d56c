import type { ServerEvent } from '@septet/contract'
import type { ClusterRecord, Log } from '@septet/domain'

import type { Config } from '../config.ts'
import type { ClusterFacts } from '../facts.ts'
import { ModelFacts } from '../read-model/model-facts.ts'
import { errorOf } from '../read-model/questions.ts'
import { openPipelineHost, type PipelineHost } from './pipeline-host.ts'
import type { FromPipeline, PipelineSettings, ToPipeline } from './pipeline-messages.ts'
import { supervise } from './supervise.ts'

export type RunningPipeline = {
  facts(): ClusterFacts
  rename(record: ClusterRecord): void
  /** Writes what is not written yet, and ends. */
  stop(): Promise<void>
}

export type RunOptions = {
  readonly settings: PipelineSettings
  /** How it is run again where it fails. */
  readonly hostKind: Config['pipelines']
  /** One that was made beforehand and has loaded its code meanwhile. */
  readonly host: PipelineHost | undefined
  readonly log: Log
  readonly publish: (event: ServerEvent) => void
  readonly observe: (stage: string, tookMs: number) => void
}

const STOP_WITHIN_MS = 20_000

/**
 * Runs a cluster's pipeline in a thread or a process of its own. One that dies of an error is begun again, and what it
 * told stays. Throws what the pipeline throws when it cannot begin at all.
 */
export async function runPipeline(options: RunOptions): Promise<RunningPipeline> {
  const { settings, log, hostKind, observe } = options
  const cluster = settings.record.id
  let tell: ((message: ToPipeline) => void) | undefined
  const facts = new ModelFacts(settings.record, (asking) => tell?.(asking), options.publish)
  const supervised = await supervise<ToPipeline, FromPipeline>({
    open: () => openPipelineHost(hostKind),
    first: options.host,
    begin: () => ({ kind: 'begin', settings: { ...settings, record: facts.record } }),
    stop: { kind: 'stop' },
    stopWithinMs: STOP_WITHIN_MS,
    heard: (message) => hear(message, facts, observe),
    gone: () => facts.abandon(new Error(`The pipeline of ${settings.record.name} was interrupted and is restarting.`)),
    down: (because) => log.error('a pipeline failed', { cluster, error: because }),
    tooLate: () => log.warn('a pipeline did not end in time', { cluster }),
  })
  tell = (message) => supervised.tell(message)
  return { facts: () => facts, rename: (record) => facts.rename(record), stop: () => supervised.stop() }
}

function hear(message: FromPipeline, facts: ModelFacts, observe: RunOptions['observe']) {
  if (message.kind === 'begun') return 'begun'
  if (message.kind === 'refused') return errorOf(message.failure)
  if (message.kind === 'stage') observe(message.stage, message.tookMs)
  else if (message.kind === 'sections') facts.take(message.sections)
  else if (message.kind === 'answer') facts.takeAnswer(message.answer)
  return undefined
}
