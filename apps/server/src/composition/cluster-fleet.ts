import type { AlertQuestion, ClusterRecord, ClusterStore, Problem } from '@septet/domain'

import { judgeUnread } from '../alerts/judge-alerts.ts'
import type { ClusterFacts, Facts } from '../facts.ts'
import { ModelFacts } from '../read-model/model-facts.ts'
import { pack } from '../read-model/pack.ts'
import type { ModelState } from '../read-model/section.ts'
import type { ClusterSourceRecord } from './cluster-sources.ts'
import type { PipelineHost } from './pipeline-host.ts'
import type { RunningPipeline } from './run-pipeline.ts'

/** The clusters that are watched now. They come and go while Septet runs. */
export type ClusterFleet = Facts & {
  /** Begins to watch. Throws what the pipeline throws when it cannot begin at all. */
  watch(wanted: ClusterSourceRecord, host?: PipelineHost): Promise<void>
  /** Shows a cluster that cannot be watched, with the reason. */
  showBroken(record: ClusterRecord, problem: Problem): void
  /** Watches a cluster by another connection. It is shown as being connected meanwhile. */
  reconnect(wanted: ClusterSourceRecord): Promise<void>
  rename(record: ClusterRecord): Promise<void>
  /** Stops watching: what is not written yet is written first. */
  release(id: string): Promise<void>
  stop(): Promise<void>
}

export type FleetParts = {
  readonly store: Pick<ClusterStore, 'upsert'>
  readonly start: (wanted: ClusterSourceRecord, host: PipelineHost | undefined) => Promise<RunningPipeline>
}

/** In the order in which they came; the demo cluster last. */
export function openClusterFleet({ store, start }: FleetParts): ClusterFleet {
  const watched = new Map<string, Watched>()
  const all = (): readonly ClusterFacts[] => [...watched.values()].map((one) => one.facts())
  return {
    clusters: () => all().toSorted((a, b) => Number(a.record.kind === 'demo') - Number(b.record.kind === 'demo')),
    async watch(wanted, host) {
      await store.upsert(wanted.record)
      // One that was shown as broken under this id gives way.
      watched.set(wanted.record.id, await start(wanted, host))
    },
    showBroken(record, problem) {
      watched.set(record.id, brokenOf(record, problem))
    },
    async reconnect(wanted) {
      const { record } = wanted
      const before = watched.get(record.id)
      watched.set(record.id, brokenOf(record, { ...RECONNECTING, message: `${record.name} is reconnecting.` }))
      await before?.stop()
      watched.set(record.id, await start(wanted, undefined))
    },
    async rename(record) {
      await store.upsert(record)
      watched.get(record.id)?.rename(record)
    },
    async release(id) {
      const one = watched.get(id)
      watched.delete(id)
      await one?.stop()
    },
    stop: async () => void (await Promise.all([...watched.values()].map((one) => one.stop()))),
  }
}

const RECONNECTING = { code: 'reconnecting', object: 'api-server' } as const

type Watched = Pick<RunningPipeline, 'facts' | 'rename' | 'stop'>

function brokenOf(record: ClusterRecord, problem: Problem): Watched {
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
  const silent: ClusterFacts = Object.assign(facts, {
    analysis: async () => undefined,
    judge: (question: AlertQuestion) => judgeUnread(facts, question),
    outlook: async () => undefined,
  })
  return {
    facts: () => silent,
    rename: (renamed) => facts.rename(renamed),
    stop: async () => undefined,
  }
}
