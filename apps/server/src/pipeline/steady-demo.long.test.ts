import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openClusterReader, openExporterReader, openPrometheus } from '@septet/connectors'
import { DEFAULT_POLICY, HOUR_MS, instant, MINUTE_MS, theLast, type Instant, type Recommendation } from '@septet/domain'
import { startDemoCluster } from '@septet/simulator'
import { openTestStore } from '@septet/storage/testing'
import { expect, onTestFinished, test } from 'vitest'

import { DEFAULT_POLICIES } from '../policies.ts'
import { COARSEST, segmentsOf } from '../usage/segments.ts'
import { analyzeRange } from './analyze.ts'
import { Backfill } from './backfill.ts'
import { Collector } from './collect.ts'
import { RecentUsage } from './recent-usage.ts'
import { Recommender } from './recommend.ts'

const SATURDAY = Date.UTC(2026, 10, 28)
const LOOK_MS = 2 * MINUTE_MS
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

const RECORD = { id: 'demo', name: 'demo', kind: 'demo', createdAt: instant(SATURDAY) } as const
const nothing = async (): Promise<void> => undefined

/** The demo cluster through the pipeline's own parts, in a time that a test moves. */
async function demoAt(begin: number) {
  const time = { now: begin }
  const clock = (): Instant => instant(time.now)
  const dataDir = await mkdtemp(join(tmpdir(), 'septet-steady-'))
  const demo = await startDemoCluster({ seed: 7, scale: 'small', dataDir, clock: () => time.now, turnMs: 20 })
  const store = await openTestStore()
  const timing = { debounce: 1 }
  const recent = new RecentUsage({ cluster: 'demo', store: store.usage, policy: DEFAULT_POLICY })
  const parts = {
    record: RECORD,
    reader: openClusterReader({
      kubeconfig: { path: demo.kubeconfigPath },
      log: quiet,
      clock,
      random: Math.random,
      timing,
    }),
    telemetry: openExporterReader({ targets: { httpSd: demo.exporterTargetsUrl }, clock }),
    inference: undefined,
    feed: undefined,
    recent,
    log: quiet,
    clock,
    pace: { pollSeconds: LOOK_MS / 1000, storeSeconds: 60, recommendSeconds: 60, historyDays: 8 },
    publish: () => undefined,
    observe: () => undefined,
  }
  const collector = new Collector(parts)
  onTestFinished(async () => {
    await collector.close()
    await demo.close()
    await rm(dataDir, { recursive: true })
  })
  await collector.connect(async () => undefined)
  await collector.collect()
  const history = openPrometheus({ url: demo.prometheusUrl, clock })
  await new Backfill({
    ...parts,
    history,
    store,
    collector,
    since: () => undefined,
    policy: DEFAULT_POLICY,
    onSegment: nothing,
    pause: nothing,
  }).run()
  recent.adoptEarlier()
  return { time, clock, store, recent, collector, recommender: new Recommender(store) }
}

/** One turn: read, store, analyze, recommend. */
async function look({ clock, store, recent, collector, recommender }: Awaited<ReturnType<typeof demoAt>>) {
  const now = clock()
  const read = async (): Promise<number> => {
    await collector.collect()
    return collector.snapshot()?.takenAt ?? 0
  }
  await expect.poll(read).toBe(now)
  await recent.flush(now)
  await store.usage.rollUp('demo', now)
  const snapshot = collector.snapshot()
  const [fine, hours] = await Promise.all((['5m', '1h'] as const).map((span) => store.usage.coverage('demo', span)))
  const stored = { '5m': fine, '1h': hours, '1d': undefined }
  const samples = collector.judged()
  const asked = { range: theLast('7d'), now, store, samples, rolledUpTo: now, stored, policy: DEFAULT_POLICY }
  const found = await analyzeRange({ ...asked, snapshot })
  if (snapshot === undefined || found === undefined) throw new Error('the demo was not read')
  const { analysis } = found
  const segments = segmentsOf(analysis.window, COARSEST['7d'], now)
  const policy = { analysis: DEFAULT_POLICY, plans: DEFAULT_POLICIES.plans }
  await recommender.make({ record: RECORD, snapshot, analysis, segments, policy })
  return (await store.recommendations.current('demo'))?.recommendations ?? []
}

const named = ({ id, kind, object }: Recommendation): string => `${kind} ${object} ${id}`

// A minute by itself; what else takes long runs beside it.
test.each([
  { from: 'one in the afternoon', hour: 13 },
  { from: 'five in the morning', hour: 29 },
])(
  'for an hour from $from nothing that is recommended changes its id or its kind',
  async ({ hour }) => {
    const demo = await demoAt(SATURDAY + hour * HOUR_MS + 7 * MINUTE_MS)
    let before = await look(demo)
    expect(new Set(before.map(({ kind }) => kind)).size).toBeGreaterThan(4)
    for (let turn = 1; turn <= HOUR_MS / LOOK_MS; turn += 1) {
      demo.time.now += LOOK_MS
      const now = await look(demo)
      const known = new Map(before.map((each) => [each.object, named(each)]))
      const stayed = now.filter(({ object }) => known.has(object))
      expect(stayed.map(named)).toEqual(stayed.map(({ object }) => known.get(object)))
      before = now
    }
  },
  400_000,
)
