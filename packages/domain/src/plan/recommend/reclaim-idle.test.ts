import { expect, test } from 'vitest'
import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { asking, owned, past, sourcesOf, withPods, type Doing } from './drawn-past.fixture.ts'
import { recommend } from './recommend.ts'
import { queryOf } from './proposal.ts'
import { HOUR_MS, instant, ratio, seconds } from '../../units.ts'

const two = owned(
  asking(draw`
    node-a  A100-SXM4-40GB  [lab/chat-1]
    node-b  T4              [lab/chat-2]`),
  ['lab/chat-1', 'lab/chat-2'],
)
const one = owned(asking(draw`node-a  T4  [lab/chat-1]`), ['lab/chat-1'])

const idle = (snapshot: ClusterSnapshot, hours: number, doing: Doing | ((ago: number) => Doing | undefined) = {}) =>
  recommend(
    sourcesOf(snapshot, { rows: snapshot.pods.flatMap(({ id }) => past(snapshot, id, { hours, doing })) }),
  ).recommendations.filter(({ kind }) => kind === 'reclaim-idle')

/** What a month comes to after 30 idle hours in a week: a day of them goes by before anybody can tell. */
const week = (gpus: number, usdPerHour: number) => ({
  gpuHoursPerMonth: expect.closeTo((730 * gpus * (30 - 24)) / 168, 1),
  usdPerMonth: expect.closeTo((730 * usdPerHour * (30 - 24)) / 168, 1),
})

test('a workload that did nothing for a day is to be scaled to 0; each model counts with its own price', () => {
  const [found, ...more] = idle(two, 30)
  expect(more).toEqual([])
  expect(found).toMatchObject({
    object: 'workload/lab/Deployment/chat',
    title: 'Scale lab/chat to 0 until it is needed',
    message: expect.stringContaining('It holds 2 GPUs and has been idle for 30 h in a row.'),
    saving: { kind: 'estimated', effect: 'capacity-freed', ...week(2, 2.5) },
    risk: { displaced: ['lab/chat-1', 'lab/chat-2'], level: 'medium', confidence: 30 / 54 },
  })
  expect(found?.plan.steps.map(({ action, inverse }) => [action, inverse])).toEqual([
    [
      { kind: 'scale', workload: 'lab/Deployment/chat', from: 2, to: 0 },
      [{ kind: 'scale', workload: 'lab/Deployment/chat', from: 0, to: 2 }],
    ],
  ])
  expect(found?.saving).toMatchObject({
    price: { price: 1.25, source: 'mean of: list of A100-SXM4-40GB; list of T4' },
  })
})

test('a GPU without a price gives GPU-hours and no money', () => {
  const cluster = owned(asking(draw`node-a  L4  [lab/chat-1]`), ['lab/chat-1'])
  expect(idle(cluster, 30)[0]?.saving).toMatchObject({
    gpuHoursPerMonth: week(1, 0).gpuHoursPerMonth,
    usdPerMonth: undefined,
  })
})

test('a night is not enough, and neither is a history that is nearly a day', () => {
  expect(idle(one, 168, (ago) => ({ busy: ago > 12 ? 0.4 : 0 }))).toEqual([])
  expect(idle(one, 24, (ago) => ({ present: ago === 24 ? 0.5 : 1 }))).toEqual([])
  expect(idle(one, 24)).toHaveLength(1)
})

test('unknown is never idle: stuck or missing telemetry, a gap, or an end of it hours ago', () => {
  expect(idle(one, 168, { measured: 0, reason: 'stuck-at-zero' })).toEqual([])
  expect(idle(one, 168, { measured: 0.5, reason: 'stuck-at-zero' })).toEqual([])
  expect(idle(one, 168, (ago) => (ago <= 20 ? undefined : {}))).toEqual([])
  // A collector that was started again loses minutes, not the stretch.
  expect(idle(one, 168, (ago) => (ago === 10 ? { present: 0.95 } : {}))).toMatchObject([{ rule: IN_A_ROW }])
})

const IN_A_ROW = { name: 'reclaim-idle' }
const IN_BETWEEN = { name: 'reclaim-idle/in-between' }

const doing = (every: number) => (ago: number) => (ago % every === 3 ? { busy: 0.4 } : {})

test('a workload that idles most of its time is to be stopped while idle, though no stretch is a day long', () => {
  expect(idle(one, 150, doing(20))).toMatchObject([
    {
      title: 'Stop lab/chat while idle',
      message: expect.stringContaining('was idle for 142 of 150 h, with work in between. Last seen busy 2 h ago.'),
      rule: IN_BETWEEN,
      // Stopped after a day, and again each time it has idled for most of the time since, as a replay finds it.
      saving: { gpuHoursPerMonth: expect.closeTo((730 * 56) / 168, 1) },
      evidence: { coverage: 1, figures: { 'idle, h': 142, 'held, h': 150 } },
      plan: { steps: [{ action: { kind: 'scale', to: 0 } }] },
    },
  ])
  // A quarter of its time is use, and a gap of an hour is not known to be idle.
  expect(idle(one, 150, doing(4))).toEqual([])
  expect(idle(one, 168, (ago) => (ago === 10 ? undefined : {}))).toMatchObject([
    { rule: IN_BETWEEN, evidence: { coverage: expect.closeTo(167 / 168, 1) } },
  ])
  expect(idle(one, 168, (ago) => (ago % 3 === 0 ? undefined : {}))).toEqual([])
})

test('a gap is neither work nor idle: it is said as not measured', () => {
  // The newest hour is not measured, and neither are twelve before it.
  const gaps = idle(one, 168, (ago) => (ago === 1 || (ago > 50 && ago <= 62) ? { measured: 0 } : {}))
  expect(gaps.map(({ message }) => message)).toEqual([
    expect.stringContaining(
      'It holds 1 GPU and was idle for 155 of 168 h; 13 h were not fully measured. Stopping it would',
    ),
  ])
  const away = idle(one, 168, (ago) => (ago > 50 && ago <= 62 ? undefined : ago === 20 ? { busy: 0.4 } : {}))
  expect(away[0]?.message).toContain(
    'was idle for 155 of 156 h, with work in between; 12 h were not fully measured. Last seen busy 19 h ago.',
  )
})

test('an hour after a gap that is too short to be called idle is not work', () => {
  const quiet = { measured: 0.3, busy: 0.001, busyPeak: 0.2 }
  const seen = idle(one, 168, (ago) => (ago === 1 ? quiet : ago === 30 || ago === 10 ? { measured: 0 } : {}))
  expect(seen[0]?.message).toContain('was idle for 165 of 168 h; 2 h were not fully measured. Stopping it would')
})

test('it is called busy of late only where it was measured so within the last hour', () => {
  const worked = (ago: number) => idle(one, 150, (each) => (each === ago ? { busy: 0.4 } : {}))[0]?.message
  expect(worked(1)).toContain('Busy within the last hour.')
  expect(worked(2)).toContain('Last seen busy 1 h ago.')
  // When in the hour that ended 20 minutes ago it was busy, nobody knows.
  const rows = past(one, 'lab/chat-1', { hours: 150, doing: (ago) => (ago === 1 ? { busy: 0.4 } : {}) })
  const sources = sourcesOf(one, { rows })
  const later = { ...sources, window: { ...sources.window, to: instant(sources.window.to + HOUR_MS / 3) } }
  expect(recommend(later).recommendations[0]?.message).toContain('Last seen busy 1 h ago.')
})

test('what was measured of one pod is not called unmeasured, and what was never seen busy is not called used', () => {
  const rows = [
    ...past(two, 'lab/chat-1', { hours: 168, doing: {} }),
    ...past(two, 'lab/chat-2', { hours: 168, doing: (ago) => (ago % 10 === 5 ? { measured: 0 } : {}) }),
  ]
  expect(recommend(sourcesOf(two, { rows })).recommendations[0]).toMatchObject({
    title: 'Stop lab/chat while idle',
    message: expect.stringContaining('was idle for 151 of 168 h; 17 h were not fully measured. Stopping'),
  })
})

test('the past that a replay speaks of begins where anything was seen, however much of it has holes', () => {
  const rows = past(one, 'lab/chat-1', { hours: 168, doing: (ago) => (ago > 40 && ago <= 100 ? undefined : {}) })
  const sources = sourcesOf(one, { rows })
  const observed = { ...sources, analysis: { ...sources.analysis, observedSeconds: seconds(108 * 3600) } }
  expect(recommend(observed).recommendations[0]?.message).toContain('in the last 7 days')
})

test('rows that a store has cut up within an hour count as the one hour that they are', () => {
  const rows = past(one, 'lab/chat-1', { hours: 30, doing: {} })
  const cut = rows.flatMap((row) => {
    const [first, rest] = [1000, row.present - 1000].map((present) => ({
      ...row,
      share: ratio(present === 1000 ? row.share : row.share * (1 - 1e-15)),
      present: seconds(present),
      measured: seconds(present),
      idle: seconds(present),
    }))
    return [first ?? row, rest ?? row]
  })
  const figuresOf = (each: typeof rows) =>
    recommend(sourcesOf(one, { rows: each })).recommendations[0]?.evidence.figures
  expect(figuresOf(cut)).toMatchObject({ 'idle in a row, h': 30 })
  expect(figuresOf(cut)).toEqual(figuresOf(rows))
})

test('one busy pod among idle ones is work, and so is an hour with a short burst', () => {
  const rows = [
    ...past(two, 'lab/chat-1', { hours: 168, doing: {} }),
    ...past(two, 'lab/chat-2', { hours: 168, doing: { busy: 0.3 } }),
  ]
  expect(recommend(sourcesOf(two, { rows })).recommendations).toEqual([])
  expect(idle(one, 168, { busy: 0.03, busyPeak: 0.98 })).toEqual([])
  // A health check is not work.
  expect(idle(one, 168, { busy: 0.001, busyPeak: 0.2 })).toHaveLength(1)
})

test('a pod of which nothing is known yet keeps its workload', () => {
  expect(
    recommend(sourcesOf(two, { rows: past(two, 'lab/chat-1', { hours: 168, doing: {} }) })).recommendations,
  ).toEqual([])
})

test('work on a GPU with a fault, or on a node that is not ready, may hang rather than idle', () => {
  const fault = { code: 'gpu-fault', message: 'XID 79.', object: 'gpu/x' }
  const broken = (change: object): ClusterSnapshot => ({
    ...one,
    nodes: one.nodes.map((node) => ({ ...node, ...change })),
  })
  expect(idle(broken({ gpus: one.nodes[0]?.gpus.map((gpu) => ({ ...gpu, fault })) }), 168)).toEqual([])
  expect(idle(broken({ ready: false }), 168)).toEqual([])
})

test('what only its owner can end is said so, with no step; what must not be disrupted is left alone', () => {
  const bare = withPods(asking(draw`node-a  T4  [lab/note-1]`), ({ scheduling }) => ({
    scheduling: { ...scheduling, managed: false },
  }))
  expect(idle(bare, 100)[0]).toMatchObject({
    title: 'Ask the owner of lab/note-1 to end it',
    plan: { steps: [], refused: [{ code: 'owner-decides', message: expect.stringContaining('bare pod') }] },
    risk: { displaced: [] },
  })
  const job = owned(asking(draw`node-a  T4  [lab/chat-1]`), ['lab/chat-1'], { kind: 'Job' })
  expect(idle(job, 100)[0]?.message).toContain('A Job has no number of replicas')
  const notebook = owned(asking(draw`node-a  T4  [lab/chat-1]`), ['lab/chat-1'], { kind: 'Notebook' })
  expect(idle(notebook, 100)[0]?.plan.steps).toMatchObject([{ action: { kind: 'scale', from: 1, to: 0 } }])
  const kept = withPods(one, ({ scheduling }) => ({ scheduling: { ...scheduling, evictable: false } }))
  expect(idle(kept, 100)).toEqual([])
})

test('a query names the pods of this workload only, whatever signs its name has', () => {
  expect(queryOf('lab/Deployment/chat.v1')).toBe(
    'DCGM_FI_PROF_GR_ENGINE_ACTIVE{namespace="lab",pod=~"chat\\\\.v1-[a-z0-9]+-[a-z0-9]+"}',
  )
  expect(queryOf('lab/Pod/a"b')).toBe('DCGM_FI_PROF_GR_ENGINE_ACTIVE{namespace="lab",pod=~"a\\"b"}')
  expect(HOUR_MS).toBe(3_600_000)
})
