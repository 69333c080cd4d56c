import type { ServerEvent } from '@septet/contract'
import type { ClusterRecord, Log } from '@septet/domain'

import type { Config } from '../config.ts'
import type { ClusterFacts } from '../facts.ts'
import { ModelFacts } from '../read-model/model-facts.ts'
import { errorOf } from '../read-model/questions.ts'
import { openPipelineHost, type PipelineHost } from './pipeline-host.ts'
import type { PipelineSettings } from './pipeline-messages.ts'

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

const RESTART_AFTER_MS = 1000
const STOP_WITHIN_MS = 20_000

/**
 * Runs a cluster's pipeline in a thread or a process of its own. One that dies of an error is begun again, and what it
 * told stays. Throws what the pipeline throws when it cannot begin at all.
 */
export async function runPipeline(options: RunOptions): Promise<RunningPipeline> {
  const { settings, log, hostKind } = options
  let host = options.host ?? openPipelineHost(hostKind)
  let stopping = false
  const facts = new ModelFacts(settings.record, (asking) => host.tell(asking), options.publish)
  const begin = (): Promise<void> => {
    host.onError((error) => log.error('a pipeline failed', { cluster: settings.record.id, error: String(error) }))
    host.onExit(() => {
      facts.abandon(new Error(`The pipeline of ${settings.record.name} was interrupted and is restarting.`))
      if (!stopping) setTimeout(again, RESTART_AFTER_MS)
    })
    return begun(host, facts, { ...options, settings: { ...settings, record: facts.record } })
  }
  const again = (): void => {
    if (stopping) return
    host = openPipelineHost(hostKind)
    begin().catch((error: unknown) => {
      log.error('a pipeline did not begin again', { cluster: settings.record.id, error: String(error) })
      host.kill()
    })
  }
  await begin().catch(async (error: unknown) => {
    stopping = true
    host.kill()
    throw error
  })
  return {
    facts: () => facts,
    rename: (record) => facts.rename(record),
    stop: async () => {
      stopping = true
      await ended(host, () => log.warn('a pipeline did not end in time', { cluster: settings.record.id }))
    },
  }
}

/** Resolves when the pipeline has begun, and hears it from then on. */
function begun(host: PipelineHost, facts: ModelFacts, options: RunOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  host.onMessage((message) => {
    switch (message.kind) {
      case 'begun':
        return resolve()
      case 'refused':
        return reject(errorOf(message.failure))
      case 'stage':
        return options.observe(message.stage, message.tookMs)
      case 'sections':
        return facts.take(message.sections)
      case 'answer':
        return facts.takeAnswer(message.answer)
      case 'stopped':
        return undefined
    }
  })
  host.onError(reject)
  host.onExit(() => reject(new Error('The pipeline ended before it started.')))
  host.tell({ kind: 'begin', settings: options.settings })
  return promise
}

async function ended(host: PipelineHost, tooLate: () => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  host.onExit(() => resolve())
  if (host.isGone()) return
  host.tell({ kind: 'stop' })
  const force = setTimeout(() => {
    tooLate()
    host.kill()
  }, STOP_WITHIN_MS)
  await promise
  clearTimeout(force)
}
