import { notReady } from '@septet/contract'
import type { Fence, Log } from '@septet/domain'

import type { Config } from '../config.ts'
import type { ModelFacts } from '../read-model/model-facts.ts'
import { errorOf, type Asking } from '../read-model/questions.ts'
import type { ClusterSourceRecord } from './cluster-sources.ts'
import { openPipelineHost, type PipelineHost } from './pipeline-host.ts'
import type { FromPipeline, PipelineSettings, ToPipeline } from './pipeline-messages.ts'
import { supervise } from './supervise.ts'

/** What runs for a cluster, and to whom it tells what it learns. */
export type PipelineStart = ClusterSourceRecord & {
  readonly facts: ModelFacts
  /** Under which lead it watches, and until when it is sure of that. Undefined: it follows. */
  readonly lead: { readonly fence: Fence; readonly until: () => number } | undefined
  readonly host: PipelineHost | undefined
}

export type RunningPipeline = {
  tell(asking: Asking): void
  /** It is sure to lead until then, by `steadyNow`. */
  extend(until: number): void
  /** Writes what is not written yet, and ends; at once: without that. */
  stop(how?: 'at once'): Promise<void>
}

export type RunOptions = Omit<PipelineStart, 'record' | 'source'> & {
  readonly settings: Omit<PipelineSettings, 'lead'>
  /** How it is run again where it fails. */
  readonly hostKind: Config['pipelines']
  readonly log: Log
  readonly observe: (stage: string, tookMs: number) => void
  /** Hears each line that the pipeline has written into the log. */
  readonly logged: (line: string) => void
}

const STOP_WITHIN_MS = 20_000

/**
 * Runs a cluster's pipeline in a thread or a process of its own. One that dies of an error is begun again, and what it
 * told stays. Throws what the pipeline throws when it cannot begin at all.
 */
export async function runPipeline(options: RunOptions): Promise<RunningPipeline> {
  const { settings, facts, lead, log, hostKind } = options
  const cluster = settings.record.id
  const leading = () => lead && { fence: lead.fence, until: lead.until() }
  const supervised = await supervise<ToPipeline, FromPipeline>({
    open: () => openPipelineHost(hostKind),
    first: options.host,
    begin: () => ({ kind: 'begin', settings: { ...settings, record: facts.record, lead: leading() } }),
    stop: { kind: 'stop' },
    stopWithinMs: STOP_WITHIN_MS,
    heard: (message) => hear(message, facts, options),
    gone: () =>
      facts.abandon(notReady(`The pipeline of ${settings.record.name} is restarting.`, 'Ask again in a few seconds.')),
    down: (because) => log.error('a pipeline failed', { cluster, error: because }),
    tooLate: () => log.warn('a pipeline did not end in time', { cluster }),
  })
  return {
    tell: (asking) => supervised.tell(asking),
    extend: (until) => supervised.tell({ kind: 'lead', until }),
    stop: (how) => supervised.stop(how),
  }
}

function hear(message: FromPipeline, facts: ModelFacts, { observe, logged }: Pick<RunOptions, 'observe' | 'logged'>) {
  if (message.kind === 'begun') return 'begun'
  if (message.kind === 'refused') return errorOf(message.failure)
  if (message.kind === 'stage') observe(message.stage, message.tookMs)
  else if (message.kind === 'log') logged(message.line)
  else if (message.kind === 'sections') facts.take(message.sections)
  else if (message.kind === 'answer') facts.takeAnswer(message.answer)
  return undefined
}
