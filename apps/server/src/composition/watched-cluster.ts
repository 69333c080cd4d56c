import type { ServerEvent } from '@septet/contract'
import type { AlertQuestion, ClusterRecord, Fence, Log, Problem } from '@septet/domain'
import { errorText } from '@septet/domain/words'

import { judgeUnread } from '../alerts/judge-alerts.ts'
import type { ClusterFacts } from '../facts.ts'
import { oneAfterTheOther } from '../one-after-the-other.ts'
import { ModelFacts } from '../read-model/model-facts.ts'
import { pack } from '../read-model/pack.ts'
import type { Asking } from '../read-model/questions.ts'
import { FOLLOWING, type ModelState } from '../read-model/section.ts'
import type { ClusterSourceRecord } from './cluster-sources.ts'
import type { Leads } from './leads.ts'
import type { PipelineHost } from './pipeline-host.ts'
import type { PipelineStart, RunningPipeline } from './run-pipeline.ts'

/** A cluster that this server is able to watch. */
export type Watchable = ClusterSourceRecord & {
  /** What it is watched by now, asked before it is taken over; undefined: it was removed meanwhile. Left out: as above. */
  readonly newest?: () => Promise<ClusterSourceRecord['source'] | undefined>
}

export type WatchedParts = {
  readonly leads: Pick<Leads, 'want' | 'drop' | 'yield' | 'until'>
  readonly start: (what: PipelineStart) => Promise<RunningPipeline>
  readonly publish: (event: ServerEvent) => void
  readonly log: Log
}

/**
 * One cluster on this server: its pipeline runs here while this server has its lead, and else what another server keeps of
 * it is followed. Answers come from the same facts all the time: what was known stays until there is something newer.
 */
export class WatchedCluster {
  readonly #parts: WatchedParts
  readonly #inTurn = oneAfterTheOther()
  #facts: ModelFacts
  #wanted: Watchable | undefined
  /** Shown instead while the pipeline is connected anew. */
  #instead: ClusterFacts | undefined
  #running: RunningPipeline | undefined
  /** Asked while nothing runs. */
  #waiting: Asking[] = []
  #lead: Fence | undefined

  constructor(record: ClusterRecord, parts: WatchedParts) {
    this.#parts = parts
    this.#facts = this.#factsOf(record)
  }

  facts = (): ClusterFacts => this.#instead ?? this.#facts
  isWatchable = (): boolean => this.#wanted !== undefined

  /** Watches it where its lead is free, and else follows it. Throws what the pipeline throws when it cannot begin at all. */
  async watch(wanted: Watchable, host?: PipelineHost): Promise<void> {
    const { leads } = this.#parts
    const { id } = wanted.record
    this.#wanted = wanted
    try {
      this.#lead = await leads.want(id, {
        gained: (lead) => void this.#inTurn(() => this.#gained(lead)),
        lost: () => void this.#inTurn(() => this.#lost()),
        asked: () => void this.#inTurn(() => this.#giveUp()),
        extended: (until) => this.#running?.extend(until),
      })
      await this.#inTurn(() => this.#run(host))
    } catch (error) {
      await leads.drop(id)
      throw error
    }
  }

  follow = (): Promise<void> => this.#inTurn(() => this.#run())

  /** The same cluster by another connection, where that is another one. */
  async reconnect(wanted: Watchable): Promise<void> {
    const before = this.#wanted
    this.#wanted = wanted
    this.rename(wanted.record)
    const isSame = JSON.stringify(before?.source) === JSON.stringify(wanted.source)
    if (isSame || this.#lead === undefined) return
    const { record } = wanted
    this.#instead = brokenFacts(record, { ...RECONNECTING, message: `${record.name} is reconnecting.` })
    await this.#inTurn(async () => {
      await this.#end()
      this.#facts = this.#factsOf(record)
      await this.#run()
      this.#instead = undefined
    })
  }

  rename(record: ClusterRecord): void {
    this.#facts.rename(record)
  }

  /** Writes what is not written yet, and leaves the cluster to others. */
  async stop(): Promise<void> {
    const { id } = this.#facts.record
    await this.#inTurn(() => this.#end())
    if (this.#wanted !== undefined) await this.#parts.leads.drop(id)
  }

  #factsOf(record: ClusterRecord): ModelFacts {
    const tell = (asking: Asking): void => {
      if (this.#running === undefined) this.#waiting.push(asking)
      else this.#running.tell(asking)
    }
    return new ModelFacts(record, tell, this.#parts.publish)
  }

  async #gained(lead: Fence): Promise<void> {
    const { leads, log } = this.#parts
    const cluster = lead.cluster
    try {
      const source = this.#wanted?.newest === undefined ? this.#wanted?.source : await this.#wanted.newest()
      if (this.#wanted === undefined || source === undefined) return await leads.yield(cluster)
      this.#wanted = { ...this.#wanted, source }
      this.#lead = lead
      // What only follows has nothing to write.
      await this.#end('at once')
      await this.#run()
      log.info('this server watches a cluster now', { cluster, lead: lead.token })
    } catch (error) {
      log.error('a cluster cannot be watched by this server', { cluster, error: errorText(error) })
      await leads.yield(cluster, true)
      await this.#lost()
    }
  }

  /** In order: what is not written yet is written first. */
  async #giveUp(): Promise<void> {
    const { leads } = this.#parts
    if (this.#lead === undefined) return
    this.#lead = undefined
    await this.#end()
    await leads.yield(this.#facts.record.id)
    await this.#follow()
  }

  async #lost(): Promise<void> {
    const { log } = this.#parts
    const { id } = this.#facts.record
    this.#lead = undefined
    log.warn('another server watches a cluster from now on', { cluster: id })
    // What it would still write is refused.
    await this.#end('at once')
    await this.#follow()
  }

  #follow(): Promise<void> {
    const { log } = this.#parts
    return this.#run().catch((error: unknown) =>
      log.error('a cluster cannot be followed', { cluster: this.#facts.record.id, error: errorText(error) }),
    )
  }

  /** Its pipeline where this server has the lead, and else one that follows. */
  async #run(host?: PipelineHost): Promise<void> {
    const { start, leads } = this.#parts
    const facts = this.#facts
    const { record } = facts
    const fence = this.#lead
    const lead = fence && { fence, until: () => leads.until(record.id) }
    const source = lead === undefined ? undefined : this.#wanted?.source
    // What followed tells how that goes; nothing follows here now.
    if (lead !== undefined) facts.take([{ key: FOLLOWING, version: 0, bytes: pack([]).bytes }])
    this.#running = await start({ record, source: source ?? { kind: 'store' }, facts, lead, host })
    for (const asking of this.#waiting.splice(0)) this.#running.tell(asking)
  }

  async #end(how?: 'at once'): Promise<void> {
    const running = this.#running
    this.#running = undefined
    await running?.stop(how)
  }
}

const RECONNECTING = { code: 'reconnecting', object: 'api-server' } as const

/** A cluster of which only a problem is known. */
export function brokenFacts(record: ClusterRecord, problem: Problem): ClusterFacts & Pick<ModelFacts, 'rename'> {
  const facts = new ModelFacts(record)
  const state: ModelState = {
    connection: { kind: 'disconnected', lastContact: undefined, problems: [problem] },
    problems: [],
    asOf: undefined,
    history: undefined,
    size: undefined,
  }
  facts.take([{ key: 'state', version: 0, bytes: pack(state).bytes }])
  // Nobody will answer for it: whoever asks for figures is told the problem at once.
  return Object.assign(facts, {
    analysis: async () => undefined,
    judge: (question: AlertQuestion) => judgeUnread(facts, question),
    outlook: async () => undefined,
  })
}
