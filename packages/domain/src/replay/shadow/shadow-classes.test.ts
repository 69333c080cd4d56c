import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { UsageRow } from '../../analyze/usage.ts'
import type { GpuNode } from '../../cluster/node.ts'
import { UNKNOWN_ROOM } from '../../cluster/scheduling.ts'
import { HOUR_MS, instant, usdPerGpuHour } from '../../units.ts'
import { plainNode } from './recorded-snapshot.ts'
import { cutInto, recordedGpu, type RecordedPart } from './recorded-gpus.fixture.ts'
import { asking, at, OPEN_POLICY } from './scripted-month.fixture.ts'
import type { ReplayedClass } from '../../plan/words/action-class.ts'
import type { ShadowQuestion } from './shadow.ts'
import { shadowMonth } from './shadow-month.ts'
import { outcomeWords, shadowWords } from './shadow-words.ts'

const DAYS_10 = 240
const PRICE = {
  id: 'a100',
  cluster: undefined,
  pool: undefined,
  model: undefined,
  price: usdPerGpuHour(2),
  source: 'drawn',
  asOf: at(0),
  origin: 'operator',
} as const

type Asked = Partial<ShadowQuestion> & { readonly class: ReplayedClass }
const replay = (rows: readonly UsageRow[], asked: Asked, hours = DAYS_10) =>
  shadowMonth(asking(hours, rows, { prices: [PRICE], ...asked }))
const briefly = (month: ReturnType<typeof shadowMonth>) =>
  month.actions.map(({ object, doneAt, outcome, freed }) => [
    object.split('/').at(-1),
    (doneAt - at(0)) / HOUR_MS,
    outcome.kind,
    (outcome.at - at(0)) / HOUR_MS,
    Math.round(freed.gpuHours * 100) / 100,
  ])

/** Two devices that a smaller size could be, on a node of their own. */
const spare = (hours = DAYS_10) =>
  recordedGpu(hours, {
    gpu: 'GPU-cut',
    node: 'node-cut',
    parts: () =>
      cutInto([
        ['3g.20gb', 3 / 7],
        ['2g.10gb', 2 / 7],
        ['1g.5gb', 1 / 7],
      ]),
  })

/** A service that uses a sixth of its GPU at most, and of its memory a tenth. */
const small = (hour: number): RecordedPart => ({
  workload: 'lab/Deployment/chat',
  busy: 0.08 + 0.02 * (hour % 5),
  memory: 3000 + 100 * (hour % 7),
})
const chat = (part: (hour: number) => RecordedPart | undefined, hours = DAYS_10) =>
  recordedGpu(hours, {
    gpu: 'GPU-a',
    node: 'node-a',
    parts: (hour) => {
      const found = part(hour)
      return found === undefined ? undefined : [found]
    },
  })

const sized = (part: (hour: number) => RecordedPart | undefined, change: Partial<ShadowQuestion> = {}) =>
  replay([...chat(part), ...spare()], { class: 'right-size', ...change })

/** Four replicas, which together do the work of half a GPU. */
const replicas = (busy: (hour: number) => number) =>
  ['a', 'b', 'c', 'd'].flatMap((name) =>
    recordedGpu(DAYS_10, {
      gpu: `GPU-${name}`,
      node: 'node-a',
      parts: (hour) => [
        { workload: 'lab/Deployment/chat', pod: `chat-${name}`, busy: busy(hour) + 0.01 * (hour % 5), memory: 3000 },
      ],
    }),
  )
const fewer = (busy: (hour: number) => number) => replay(replicas(busy), { class: 'fewer-gpus' })

type Held = (hour: number) => RecordedPart
const gpu = (name: string, part: Held): UsageRow[] =>
  recordedGpu(DAYS_10, { gpu: `GPU-${name}`, node: `node-${name.slice(0, 1)}`, parts: (hour) => [part(hour)] })
const free: Held = () => ({})
const busy: Held = () => ({ workload: 'lab/Deployment/web', pod: 'web', busy: 0.9 })
const job =
  (from: number, to: number, name = 'job'): Held =>
  (hour) =>
    hour >= from && hour < to ? { workload: `lab/Job/${name}`, pod: name, busy: 0.9 } : {}
const removed = (rows: readonly UsageRow[], change: Partial<ShadowQuestion> = {}) =>
  replay(rows, { class: 'remove-node', ...change })

const until101: Held = (hour) => (hour < 101 ? busy(hour) : {})

const isDark = (hour: number) => hour >= 60 && hour < 70

describe('a smaller size', () => {
  test('it fits to this day: five sevenths of a GPU are free from the hour on at which the rule would have said so', () => {
    const month = sized(small)
    expect(briefly(month)).toEqual([['chat', 25, 'held-up', DAYS_10, Math.round((215 * 5 * 100) / 7) / 100]])
    expect(month.actions[0]).toMatchObject({
      object: 'workload/lab/Deployment/chat',
      title: 'Give lab/chat a 2g.10gb instead of a whole GPU',
      gpus: 1,
      nodes: ['node-a'],
    })
    expect(month.totals.usd).toBeCloseTo((215 * 5 * 2) / 7, 6)
    expect(shadowWords(month)).toBe(
      'In the last 10 days Septet would have given 1 workload a smaller size, freed 154 GPU-hours ($307), and never been wrong.',
    )
  })

  test('it later uses more memory than the smaller profile has: wrong, and nothing counts from then on', () => {
    const month = sized((hour) => (hour >= 100 ? { ...small(hour), memory: 12_000 } : small(hour)))
    const [wrong, later] = month.actions
    expect(briefly(month)[0]).toEqual(['chat', 25, 'too-little-memory', 100, Math.round((75 * 5 * 100) / 7) / 100])
    expect(month.totals).toMatchObject({ wrong: 1, outcomes: { 'too-little-memory': 1 } })
    expect(wrong && outcomeWords(wrong)).toBe(
      'Wrong: 3 d 3 h later it used more memory than it would have had, and would have been ended.',
    )
    // With what it has seen by then the rule takes it for larger.
    expect(later).toMatchObject({
      title: 'Give lab/chat a 3g.20gb instead of a whole GPU',
      outcome: { kind: 'held-up' },
    })
  })

  test('a memory peak within the profile is not a mistake, and one a MiB above it is', () => {
    for (const [memory, wrong] of [
      [9856, 0],
      [9857, 1],
    ] as const) {
      const month = sized((hour) => (hour >= 100 ? { ...small(hour), memory } : small(hour)))
      expect(month.totals.wrong).toBe(wrong)
    }
  })

  test('it is later busier in an hour than the slices of the smaller profile: wrong', () => {
    const month = sized((hour) => (hour === 100 ? { ...small(hour), busy: 0.3 } : small(hour)))
    expect(briefly(month)[0]?.slice(0, 4)).toEqual(['chat', 25, 'too-little-compute', 100])
  })

  test('it ends, its owner gives it something else, or nobody measures it', () => {
    expect(briefly(sized((hour) => (hour < 60 ? small(hour) : undefined)))[0]?.slice(2, 4)).toEqual(['ended', 60])
    const other = sized((hour) => (hour < 60 ? small(hour) : { ...small(hour), profile: '3g.20gb', share: 3 / 7 }))
    expect(briefly(other)[0]?.slice(2, 4)).toEqual(['ended', 60])
    const dark = sized((hour) => (hour < 25 ? small(hour) : { ...small(hour), dark: true }))
    expect(dark.actions).toMatchObject([
      { outcome: { kind: 'not-known' }, freed: { gpuHours: 0, unknownHours: DAYS_10 - 25 } },
    ])
  })

  test('without room for it nothing is done, and what one change took the next does not count on', () => {
    expect(replay(chat(small), { class: 'right-size' }).actions).toEqual([])
    const twin = recordedGpu(DAYS_10, {
      gpu: 'GPU-b',
      node: 'node-b',
      parts: (hour) => [{ ...small(hour), workload: 'lab/Deployment/twin' }],
    })
    const titles = replay([...chat(small), ...twin, ...spare()], { class: 'right-size' }).actions.map(
      ({ title }) => title,
    )
    expect(titles).toEqual(['Give lab/chat a 2g.10gb instead of a whole GPU'])
  })

  test('of work that is not decided on nothing is said: only some of its rows may be there', () => {
    expect(sized(small, { judged: ['lab/Deployment/other'] }).actions).toEqual([])
    expect(sized(small, { judged: ['lab/Deployment/chat'] }).actions).toHaveLength(1)
  })

  test('what is protected is left alone, by the rule that says so', () => {
    const held = sized(small, { policy: { ...OPEN_POLICY, protectedNamespaces: ['lab'] } })
    expect([held.actions, held.heldBack.map(({ code, objects }) => [code, objects])]).toEqual([
      [],
      [['protected-namespace', 1]],
    ])
  })
})

describe('fewer GPUs', () => {
  test('what is left does the work to this day', () => {
    const month = fewer(() => 0.08)
    expect(month.actions).toMatchObject([{ title: 'Run 1 replica of lab/chat instead of 4', gpus: 4, pods: 3 }])
    const [, from = 0] = briefly(month)[0] ?? []
    expect(briefly(month)).toEqual([['chat', from, 'held-up', DAYS_10, (DAYS_10 - Number(from)) * 3]])
    expect(shadowWords(month)).toMatch(/^In the last 10 days Septet would have given 1 workload fewer GPUs, freed /u)
  })

  test('later they do more at once than what is left can: wrong', () => {
    const month = fewer((hour) => (hour === 150 ? 0.3 : 0.08))
    expect(briefly(month)[0]?.slice(2, 4)).toEqual(['too-little-compute', 150])
    expect(fewer((hour) => (hour === 150 ? 0.24 : 0.08)).totals.wrong).toBe(0)
  })
})

describe('a node that goes', () => {
  test('nobody needs it to this day: all its GPUs come off the bill', () => {
    const month = removed([...gpu('a', free), ...gpu('b', busy)])
    expect(briefly(month)).toEqual([['node-a', 24, 'held-up', DAYS_10, 216]])
    expect(month.totals).toMatchObject({ objects: 1, wrong: 0, gpuHours: 216, usd: 432 })
    expect(shadowWords(month)).toBe(
      'In the last 10 days Septet would have removed 1 node, taken 216 GPU-hours ($432) off the bill, and never been wrong.',
    )
  })

  test('work that later ran there fits on what is left free: no mistake', () => {
    const month = removed([...gpu('a', job(100, 120)), ...gpu('b0', busy), ...gpu('b1', free)])
    expect(briefly(month)[0]?.slice(0, 4)).toEqual(['node-a', 24, 'held-up', DAYS_10])
  })

  test('work that later ran there for two hours finds nothing free: wrong, and the node is back from then on', () => {
    const month = removed([...gpu('a', job(100, 120)), ...gpu('b', busy)])
    expect(briefly(month)[0]).toEqual(['node-a', 24, 'no-room', 101, 77])
    expect(month.totals.wrong).toBe(1)
    expect(month.actions.map(outcomeWords)[0]).toMatch(/^Wrong: 3 d 5 h later its work found no room/u)
  })

  test('within an hour there is room: no mistake', () => {
    expect(removed([...gpu('a', job(100, 120)), ...gpu('b', until101)]).totals.wrong).toBe(0)
  })

  test('room on a node that went before is none', () => {
    const rows = [...gpu('a', free), ...gpu('b', job(200, 220)), ...gpu('c', busy)]
    const month = removed(rows)
    expect(briefly(month).map((each) => each.slice(0, 4))).toContainEqual(['node-b', 25, 'no-room', 201])
    expect(briefly(month).map((each) => each.slice(0, 4))).toContainEqual(['node-a', 24, 'held-up', DAYS_10])
  })

  test('room on a node that went after it is none either', () => {
    const month = removed([...gpu('a', job(200, 220)), ...gpu('b', free), ...gpu('c', busy)])
    const told = briefly(month).map((each) => each.slice(0, 4))
    expect(told).toContainEqual(['node-a', 24, 'no-room', 201])
    expect(told).toContainEqual(['node-b', 25, 'held-up', DAYS_10])
  })

  test('a GPU without the CPU that the work asks for today is no room', () => {
    const rows = [...gpu('a', job(100, 120)), ...gpu('b0', busy), ...gpu('b1', free)]
    const room = { ...UNKNOWN_ROOM, cpuMilli: 8000, cpuUsed: 4000 }
    const [late] = waitingPods(at(0))
    const asks = (cpuMilli: number) =>
      removed(rows, {
        today: {
          nodes: [drawnNode('node-b', room)],
          pods: [{ ...late, workload: 'lab/Job/job', phase: 'Running', scheduling: { ...late.scheduling, cpuMilli } }],
        },
      })
    expect(asks(4000).totals.wrong).toBe(0)
    expect(briefly(asks(4001))[0]?.slice(0, 4)).toEqual(['node-a', 24, 'no-room', 101])
  })

  test('a pod that waits today and did then keeps a node that it could use', () => {
    const [waiting] = waitingPods(at(50))
    const month = removed([...gpu('a', free), ...gpu('b', busy)], { today: { nodes: [], pods: [waiting] } })
    expect(briefly(month)[0]?.slice(0, 2)).toEqual(['node-a', 24])
    const [early] = waitingPods(at(0))
    expect(removed([...gpu('a', free), ...gpu('b', busy)], { today: { nodes: [], pods: [early] } }).actions).toEqual([])
  })

  test('the node goes by itself, or nothing was recorded of anything for a while', () => {
    const short = recordedGpu(DAYS_10, {
      gpu: 'GPU-a',
      node: 'node-a',
      parts: (hour) => (hour < 60 ? [{}] : undefined),
    })
    expect(briefly(removed([...short, ...gpu('b', busy)]))[0]).toEqual(['node-a', 24, 'ended', 60, 36])
    const rows = [...gpu('a', free), ...gpu('b', busy)].filter((row) => !isDark((row.at - at(0)) / HOUR_MS))
    const recorded = Array.from({ length: DAYS_10 }, (_, hour) => hour).flatMap((hour) =>
      isDark(hour) ? [] : at(hour),
    )
    expect(removed(rows, { recorded }).actions).toMatchObject([
      { outcome: { kind: 'held-up' }, freed: { gpuHours: 206, unknownHours: 10 } },
    ])
  })
})

const drawnNode = (name: string, room: GpuNode['room']): GpuNode =>
  plainNode({ node: name, pool: 'gpus', model: 'A100-SXM4-40GB' }, { room })

function waitingPods(createdAt: ReturnType<typeof at>) {
  const pod: ShadowQuestion['today']['pods'][number] = {
    id: 'lab/late',
    uid: 'late',
    namespace: 'lab',
    name: 'late',
    node: undefined,
    phase: 'Pending',
    requests: [{ resource: 'nvidia.com/gpu', count: 1 }],
    scheduling: {
      cpuMilli: 0,
      memory: 0 as never,
      nodeSelector: {},
      nodeTerms: [],
      tolerations: [],
      priority: 0,
      managed: true,
      evictable: true,
    },
    workload: 'lab/Deployment/late',
    createdAt,
    startedAt: undefined,
    waiting: undefined,
  }
  return [pod] as const
}

const LENGTH = 96
const ANY_CLASS = fc.constantFrom<ReplayedClass[]>('right-size', 'fewer-gpus', 'remove-node')

/** Half a day at a time: held and lightly used, held and busy, held with much memory, or free. */
const doing = fc.constantFrom<(hour: number, workload: string) => RecordedPart>(
  (hour, workload) => ({ workload, busy: 0.08 + 0.02 * (hour % 3), memory: 3000 }),
  (hour, workload) => ({ workload, busy: 0.08 + 0.01 * (hour % 3), memory: 3000 }),
  (_hour, workload) => ({ workload, busy: 0.8, memory: 3000 }),
  (_hour, workload) => ({ workload, busy: 0.1, memory: 30_000 }),
  () => ({}),
)
const halfDays = fc.array(doing, { minLength: LENGTH / 12, maxLength: LENGTH / 12 })
const fleet = fc.array(halfDays, { minLength: 2, maxLength: 5 }).map((gpus) => [
  ...gpus.flatMap((does, order) =>
    recordedGpu(LENGTH, {
      gpu: `GPU-${order}`,
      node: `node-${order % 3}`,
      parts: (hour) => {
        // Two of them belong together, so that there is something to give up.
        const workload = `lab/Deployment/w${Math.floor(order / 2)}`
        // A first day in which every rule sees something.
        const part = hour < 36 ? does[0] : does[Math.floor(hour / 12)]
        return [{ ...part?.(hour, workload), pod: `p${order}` }]
      },
    }),
  ),
  ...spare(LENGTH),
])

test('the same rows in any order give the same month, of every class', () => {
  fc.assert(
    fc.property(
      ANY_CLASS,
      fleet.chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length }))),
      (kind, [rows, shuffled]) => {
        expect(replay(shuffled, { class: kind }, LENGTH)).toEqual(replay(rows, { class: kind }, LENGTH))
      },
    ),
    { numRuns: 6 },
  )
})

/** What was done up to a moment, without what came of it. */
const decided = ({ actions }: ReturnType<typeof shadowMonth>, before: number) =>
  actions.filter(({ doneAt }) => doneAt <= before).map(({ freed: _freed, outcome: _outcome, ...decision }) => decision)

test('what was decided does not depend on what came later, of every class', () => {
  let done = 0
  fc.assert(
    fc.property(ANY_CLASS, fleet, fc.integer({ min: 24, max: LENGTH }), (kind, rows, cut) => {
      const short = replay(
        rows.filter((row) => row.at < at(cut)),
        { class: kind },
        cut,
      )
      done += short.actions.length
      expect(decided(replay(rows, { class: kind }, LENGTH), at(cut))).toEqual(decided(short, instant(Infinity)))
    }),
    { numRuns: 10, seed: 17 },
  )
  expect(done).toBeGreaterThan(0)
})
