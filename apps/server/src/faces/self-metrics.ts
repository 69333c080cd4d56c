import { instant } from '@septet/domain'
import { Counter, Gauge, type Registry } from 'prom-client'

import type { Facts, SourceState } from '../facts.ts'
import { isLate, type ThisServer } from '../operations/settings/status-lines.ts'
import type { LoopState } from '../repeat.ts'

type Needs = { readonly facts: Facts; readonly thisServer: ThisServer; readonly now: () => number }

/** A series of each loop, or of each source; undefined: no series. */
type Series<Of> = {
  readonly name: string
  readonly help: string
  readonly read: (of: Of, now: number) => number | undefined
}

const LOOPS: readonly Series<LoopState>[] = [
  {
    name: 'septet_loop_last_success_timestamp_seconds',
    help: 'When a loop last finished a run without an error; absent before the first.',
    read: ({ okAt }) => okAt && okAt / 1000,
  },
  {
    name: 'septet_loop_consecutive_failures',
    help: 'Runs of a loop that failed one after the other, up to now.',
    read: ({ failures }) => failures,
  },
  {
    name: 'septet_loop_late',
    help: '1 while a loop should have finished a run and has not.',
    read: (loop, now) => Number(isLate(loop, instant(now))),
  },
]

const SOURCES: readonly Series<SourceState>[] = [
  {
    name: 'septet_source_up',
    help: '1 while a source of a cluster answers; absent before it was asked.',
    read: ({ state }) => (state === 'unknown' ? undefined : Number(state !== 'failing')),
  },
  {
    name: 'septet_collection_lag_seconds',
    help: 'Seconds since the newest reading from a source that is read all the time; absent before the first.',
    read: ({ name, heardAt }, now) =>
      // A metrics engine that is asked for the past alone has nothing new most of the time.
      heardAt === undefined || name === 'metrics-engine' ? undefined : Math.max(0, (now - heardAt) / 1000),
  },
]

/** How Septet itself does: its loops, what it reads from, and its database. An empty cluster is the server itself. */
export function registerSelfMetrics(registry: Registry, { facts, thisServer, now }: Needs): void {
  const loops = (): [cluster: string, loop: LoopState][] => [
    ...thisServer.loops().map((loop): [string, LoopState] => [loop.cluster ?? '', loop]),
    ...facts.clusters().flatMap((of) => (of.health()?.loops ?? []).map((loop) => pair(of.record.id, loop))),
  ]
  const sources = (): [cluster: string, source: SourceState][] =>
    facts.clusters().flatMap((of) => (of.health()?.sources ?? []).map((source) => pair(of.record.id, source)))
  for (const series of LOOPS) registry.registerMetric(gaugeOf(series, 'loop', { rows: loops, now }))
  for (const series of SOURCES) registry.registerMetric(gaugeOf(series, 'source', { rows: sources, now }))
  registry.registerMetric(
    new Counter({
      name: 'septet_loop_failures_total',
      help: 'Runs of a loop that failed since it began.',
      labelNames: ['cluster', 'loop'],
      registers: [],
      collect() {
        this.reset()
        for (const [cluster, { name, failed }] of loops()) this.inc({ cluster, loop: name }, failed)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'septet_database_up',
      help: '1 while the database answers; absent before it was asked.',
      registers: [],
      collect() {
        this.reset()
        const { okAt, failures } = thisServer.databaseRuns()
        if (failures > 0) this.set(0)
        else if (okAt === undefined) this.remove()
        else this.set(1)
      },
    }),
  )
}

const pair = <Of>(cluster: string, of: Of): [string, Of] => [cluster, of]

function gaugeOf<Of extends { readonly name: string }>(
  { name, help, read }: Series<Of>,
  label: 'loop' | 'source',
  { rows, now }: { readonly rows: () => readonly [cluster: string, of: Of][]; readonly now: () => number },
): Gauge {
  return new Gauge({
    name,
    help,
    labelNames: ['cluster', label],
    registers: [],
    collect() {
      this.reset()
      for (const [cluster, of] of rows()) {
        const value = read(of, now())
        if (value !== undefined) this.set({ cluster, [label]: of.name }, value)
      }
    },
  })
}
