import {
  BlockSchema,
  type GpuView,
  type OperationKey,
  OPERATIONS,
  type OutputOf,
  type costBreakdown,
  type fleetGpu,
  type fleetMap,
  type partitionsList,
} from '@septet/contract'
import { COPILOT_QUESTIONS } from '@septet/contract/copilot-questions'
import { openTestStore } from '@septet/storage/testing'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'

import { ADMIN } from './answering/admin-caller.fixture.ts'
import {
  instant,
  type AdmissionRecord,
  type Caller,
  type ClusterSnapshot,
  type Store,
  type WaitStretch,
} from '@septet/domain'
import type { ClusterFacts } from '../facts.ts'
import type { Installation } from './settings/settings-answers.ts'
import type { AccessService } from './access/access-service.ts'
import type { AlertService } from './alerts/alert-service.ts'
import type { ClusterService } from './clusters/cluster-service.ts'
import { readManifest } from '@septet/connectors'
import { makeAnswers } from './answers.ts'
import {
  AS_DRAWN,
  type DrawnNamespaces,
  drawnNamespaces,
  MINE,
  type Others,
  recommendationsOf,
  unansweredOf,
  samplesOf,
  snapshotOf,
} from './answering/drawn-namespaces.fixture.ts'
import { factsOf } from './answering/facts.fixture.ts'

const RESTRICTED: Caller = { ...ADMIN, role: 'operator', namespaces: MINE }

/** One for all clusters that a test draws: each replaces all that is stored of the one before. */
let store: Store

/** What a caller is told who is limited to some namespaces, of as many drawn clusters. */
export function restrictedViewersBehave(runs: number): void {
  beforeEach(async () => {
    store = await openTestStore()
  })

  describe('a caller who is limited to namespaces', () => {
    test('asks every operation that is answered for them', () => {
      const asked = new Set<string>([
        ...QUESTIONS.map(([key]) => key),
        'copilotAsk',
        'recommendationsGet',
        'workloadsGet',
        'fleetGpu',
      ])
      const missing = Object.entries(OPERATIONS).filter(
        ([key, { reach, effect }]) => reach === 'namespaces' && effect === 'read' && !asked.has(key),
      )
      expect(missing.map(([key]) => key)).toEqual([])
    })

    test('is told no name of others', async () => {
      await fc.assert(
        fc.asyncProperty(drawnNamespaces, async (drawn) => {
          for (const [asked, answer] of Object.entries(await tell(drawn))) {
            expect([asked, OF_OTHERS.exec(JSON.stringify(answer))?.[0]]).toEqual([asked, undefined])
          }
        }),
        { numRuns: runs },
      )
    })

    test('the check would find such a name: whoever is not limited is told them', async () => {
      const lines = [{ node: 0, board: 'T4', holders: [{ mine: false, namespace: 0, pod: 0 }, undefined] }] as const
      const told = await tell({ lines, waiting: [], busy: [0.5] }, AS_DRAWN, { ...RESTRICTED, namespaces: undefined })
      const naming = Object.entries(told).filter(([, answer]) => OF_OTHERS.test(JSON.stringify(answer)))
      expect(naming.map(([asked]) => asked.split(' ')[0])).toEqual(
        expect.arrayContaining([
          'clustersList',
          'summaryGet',
          'partitionsList',
          'workloadsList',
          'costBreakdown',
          'qualityGet',
        ]),
      )
    })

    test('is told the same whatever others are called and however busy they are', async () => {
      await fc.assert(
        fc.asyncProperty(drawnNamespaces, fc.double({ min: 0, max: 1, noNaN: true }), async (drawn, busier) => {
          expect(await tell(drawn, { called: 'else', busier, gone: 'none' })).toEqual(await tell(drawn))
        }),
        { numRuns: runs },
      )
    })

    test('is told the same whatever others do on GPUs on which they are not', async () => {
      await fc.assert(
        fc.asyncProperty(drawnNamespaces, async (drawn) => {
          expect(await tell(drawn, { ...AS_DRAWN, gone: 'elsewhere' })).toEqual(await tell(drawn))
        }),
        { numRuns: runs },
      )
    })

    test('learns of the GPUs that they share which parts are taken, and nothing else', async () => {
      await fc.assert(
        fc.asyncProperty(drawnNamespaces, async (drawn) => {
          const [alone, together] = [await tell(drawn, { ...AS_DRAWN, gone: 'all' }), await tell(drawn)]
          expect(withoutTaken(alone)).toEqual(withoutTaken(together))
        }),
        { numRuns: runs },
      )
    })

    test('is told nothing at all where nothing is theirs', async () => {
      await fc.assert(
        fc.asyncProperty(drawnNamespaces, fc.constantFrom([], [''], ['nobody']), async (drawn, namespaces) => {
          const told = await tell(drawn, AS_DRAWN, { ...RESTRICTED, namespaces })
          expect(told['workloadsList {}']).toMatchObject({ total: 0, workloads: [] })
          expect(told['partitionsList {"mig":"false"}']).toMatchObject({ total: 0, nodes: [] })
          expect(told['costBreakdown {"by":"namespace"}']).toMatchObject({
            groups: [],
            total: { gpuHours: { capacity: 0 } },
          })
          expect(told['recommendationsList {}']).toMatchObject({ total: 0, dismissed: 0 })
          expect(told['clustersList {}']).toMatchObject({ clusters: [{ nodes: 0, gpus: 0 }, { id: 'sample' }] })
        }),
        { numRuns: runs },
      )
    })
  })

  describe('the money of a caller who is limited to namespaces', () => {
    test('used, idle-held and oversized are what they held, to the cent; what nobody held is not told as 0', async () => {
      await fc.assert(
        fc.asyncProperty(drawnNamespaces, async (drawn) => {
          const told = await tell(drawn)
          for (const by of ['namespace', 'model', 'pool', 'node'] as const) {
            const { groups, total } = parsed(told[`costBreakdown ${JSON.stringify({ by })}`])
            for (const usd of [...groups, total].flatMap((each) => each?.usd ?? [])) {
              expect(usd.used + usd.idleHeld + usd.oversized).toBeCloseTo(usd.capacity, 5)
              expect([usd.unallocated, usd.stranded]).toEqual([null, null])
            }
            const sum = groups.reduce((all, { usd }) => all + (usd?.capacity ?? 0), 0)
            expect(sum).toBeCloseTo(total?.usd?.capacity ?? 0, 4)
          }
        }),
        { numRuns: runs },
      )
    })

    test('is what an admin sees of the same namespaces, by GPU-hours and to the cent', async () => {
      await fc.assert(
        fc.asyncProperty(drawnNamespaces, async (drawn) => {
          const question = 'costBreakdown {"by":"namespace"}'
          const whole = parsed((await tell(drawn, AS_DRAWN, ADMIN))[question])
          const theirs = parsed((await tell(drawn))[question])
          const mine = whole.groups.filter(({ key }) => MINE.includes(key))
          expect(theirs.groups.map(({ key }) => key).toSorted()).toEqual(mine.map(({ key }) => key).toSorted())
          for (const { key, gpuHours, usd } of theirs.groups) {
            const same = mine.find((group) => group.key === key)
            expect(gpuHours.capacity).toBeCloseTo(same?.gpuHours.capacity ?? NaN, 6)
            expect(usd?.capacity ?? 0).toBeCloseTo(same?.usd?.capacity ?? 0, 5)
          }
        }),
        { numRuns: runs },
      )
    })
  })

  describe('a recommendation', () => {
    const own = {
      node: 0,
      board: 'T4',
      holders: [
        { mine: true, namespace: 0, pod: 0 },
        { mine: false, namespace: 2, pod: 1 },
      ],
    } as const
    const drawn: DrawnNamespaces = { lines: [own], waiting: [], busy: [0.5] }

    test('is told to a caller of some namespaces where it changes, stops and names only what is theirs', async () => {
      const { answers } = await septetOf(drawn, AS_DRAWN)
      const { recommendations, total } = listOf(await answers.recommendationsList({}, RESTRICTED))
      expect([total, recommendations.map(({ id }) => id)]).toEqual([1, ['drawn/alone/workload/lab/Pod/train-0-0-0']])
      expect(listOf(await answers.recommendationsList({}, ADMIN)).total).toBe(6)
    })

    test('of others can be neither read nor dismissed nor restored, as if there were none', async () => {
      const { answers } = await septetOf(drawn, AS_DRAWN)
      const id = 'drawn/alone/workload/b-lab/Pod/hidden-1-0-1'
      await answers.recommendationsDismiss({ id, reason: 'We keep it.' }, ADMIN)
      const absent = { code: 'not-found' }
      await expect(answers.recommendationsGet({ id }, RESTRICTED)).rejects.toMatchObject(absent)
      await expect(answers.recommendationsDismiss({ id, reason: 'Mine now.' }, RESTRICTED)).rejects.toMatchObject(
        absent,
      )
      await expect(answers.recommendationsRestore({ id }, RESTRICTED)).rejects.toMatchObject(absent)
      expect(listOf(await answers.recommendationsList({ dismissed: 'show' }, RESTRICTED)).dismissed).toBe(0)
      expect(await store.recommendations.dismissals('drawn')).toMatchObject([{ id, reason: 'We keep it.' }])
    })

    test('of theirs can be dismissed and restored', async () => {
      const { answers } = await septetOf(drawn, AS_DRAWN)
      const id = 'drawn/alone/workload/lab/Pod/train-0-0-0'
      await answers.recommendationsDismiss({ id, reason: 'We keep it.' }, RESTRICTED)
      expect(listOf(await answers.recommendationsList({}, RESTRICTED))).toMatchObject({ total: 0, dismissed: 1 })
      await answers.recommendationsRestore({ id }, RESTRICTED)
      expect(listOf(await answers.recommendationsList({}, RESTRICTED))).toMatchObject({ total: 1, dismissed: 0 })
    })
  })
}

/** Asks everything that can be read in each of its forms, and gives the answers by what was asked. */
async function tell(drawn: DrawnNamespaces, others: Others = AS_DRAWN, caller: Caller = RESTRICTED) {
  const { answers } = await septetOf(drawn, others)
  const told: Record<string, unknown> = {}
  for (const [key, input] of questionsOf(caller)) {
    told[`${key} ${JSON.stringify(input)}`] = await answers[key](input, caller)
  }
  const list = OPERATIONS.recommendationsList.output.parse(await answers.recommendationsList({}, caller))
  for (const { id } of list.recommendations) {
    told[`recommendationsGet ${id}`] = await answers.recommendationsGet({ id }, caller)
  }
  for (const question of SAID) {
    const { id, ...said } = OPERATIONS.copilotAsk.output.parse(await answers.copilotAsk({ question }, caller))
    told[`copilotAsk ${question}`] = { ...said, hasId: id !== '' }
  }
  const { workloads } = OPERATIONS.workloadsList.output.parse(await answers.workloadsList({ status: 'all' }, caller))
  const { frame } = OPERATIONS.fleetMap.output.parse(await answers.fleetMap({}, caller))
  for (const gpu of frame?.gpus.id ?? []) told[`fleetGpu ${gpu}`] = await answers.fleetGpu({ gpu }, caller)
  for (const { id } of workloads) told[`workloadsGet ${id}`] = await answers.workloadsGet({ id }, caller)
  return told
}

/** In words, of things that others have more of. */
const SAID = [
  COPILOT_QUESTIONS['idle-gpus'],
  COPILOT_QUESTIONS['waits-and-why'],
  COPILOT_QUESTIONS['free-partition'],
  COPILOT_QUESTIONS['wrong-now'],
  COPILOT_QUESTIONS['used-without-request'],
]
/** Of work in a namespace that is not theirs nothing is said at all. */
const questionsOf = ({ namespaces }: Caller): typeof QUESTIONS =>
  namespaces?.includes('lab') === true ? QUESTIONS : QUESTIONS.filter(([key]) => key !== 'startsCheck')

const JOB =
  '{kind: Pod, metadata: {name: new}, spec: {containers: [{name: a, resources: {limits: {nvidia.com/gpu: 64}}}]}}'

const QUESTIONS: ReadonlyArray<readonly [OperationKey, object]> = [
  ['clustersList', {}],
  ['clustersTotals', {}],
  ['recommendationsTotals', {}],
  ['summaryGet', {}],
  ['utilizationTrend', {}],
  ['partitionsList', {}],
  ['partitionsList', { mig: 'false' }],
  ['partitionsEfficiency', {}],
  ['partitionsRoom', { profile: '1g.10gb' }],
  ['workloadsList', {}],
  ['queueWaits', {}],
  ['startsCheck', { namespace: 'lab', manifest: JOB }],
  ...(['namespace', 'tenant', 'model', 'pool', 'node'] as const).map((by) => ['costBreakdown', { by }] as const),
  ['costBreakdown', { by: 'label', label: 'team' }],
  ['costBreakdown', { by: 'tenant', within: 'none:' }],
  ['costBreakdown', { by: 'model', within: 'named:T4' }],
  ...(['workload', 'model', 'namespace', 'tenant'] as const).map((by) => ['costTokens', { by }] as const),
  ['costDays', {}],
  ['costLedger', {}],
  ['budgetsList', {}],
  ['pricesUsed', {}],
  ['findingsList', {}],
  ['recommendationsList', {}],
  ['qualityGet', {}],
  ['fleetMap', {}],
  ['fleetBroken', {}],
  ['costMonths', {}],
  ['searchFind', { query: 'la', limit: 50 }],
  ['searchFind', { query: 'node', limit: 50 }],
  ['queryAsk', { line: 'cost by namespace' }],
  ['queryAsk', { line: 'workloads' }],
  ['queryAsk', { line: 'cost of l' }],
  ['reportGet', {}],
  ['alertsList', {}],
  ['admissionList', {}],
]

async function septetOf(drawn: DrawnNamespaces, others: Others) {
  const snapshot = snapshotOf(drawn, others)
  const facts: ClusterFacts = {
    ...factsOf(snapshot, samplesOf(snapshot, drawn, others)),
    size: () => ({ serverVersion: 'v1', nodes: 9, gpus: 99, devices: 99 }),
    problems: () => [
      { code: 'fault', message: `A pod of hidden-lab/${others.called} failed.`, object: 'telemetry' },
      { code: 'elsewhere', message: 'Node hidden-node fails.', object: 'node/hidden-node' },
    ],
    targets: () => [
      {
        target: 'hidden:9400',
        node: 'hidden-node',
        kind: 'up',
        lastSeen: undefined,
        detail: `hidden ${others.called}`,
      },
    ],
  }
  await store.recommendations.replace('drawn', {
    madeAt: snapshot.takenAt,
    recommendations: recommendationsOf(snapshot),
    unanswered: unansweredOf(snapshot),
    unshared: unansweredOf(snapshot).map((each) => ({ ...each, kind: 'kept' })),
  })
  await store.waits.forget('drawn')
  await store.waits.write('drawn', waitsOf(snapshot))
  await store.admissions.forget('drawn')
  await store.admissions.add('drawn', admissionsOf(snapshot))
  const answers = makeAnswers({
    readManifest,
    facts: { clusters: () => [facts] },
    store,
    now: () => 0,
    record: async () => undefined,
    service: {} as AccessService,
    clusters: {} as ClusterService,
    installation: {} as Installation,
    alerts: {} as AlertService,
  })
  return { answers, snapshot }
}

/** All that waits has waited an hour, for what the GPUs of others say. */
const waitsOf = ({ pods }: ClusterSnapshot): readonly WaitStretch[] =>
  pods
    .filter(({ node }) => node === undefined)
    .map(({ uid, namespace, workload, createdAt }) => ({
      waiter: uid,
      namespace,
      workload,
      from: createdAt,
      to: instant(createdAt + 3_600_000),
      over: false,
      cause: 'capacity',
      asks: '1 × nvidia.com/gpu',
      gpus: 1,
      kinds: [],
      change: { kind: 'evict', sentence: 'Stop hidden-lab/train, which holds GPU 0 of hidden-node idle.' },
    }))

/** Every pod was warned when it was created. */
const admissionsOf = ({ pods, takenAt }: ClusterSnapshot): readonly AdmissionRecord[] =>
  pods.map(({ namespace, name, workload }) => ({
    at: takenAt,
    namespace,
    pod: name,
    workload,
    kind: 'warned',
    suggested: 'nvidia.com/mig-1g.10gb',
    said: `Of ${workload}.`,
  }))

/** Names that are of others alone, as whole names: `lab` may stand in `lab-b`, but `la` may stand in neither. */
const OF_OTHERS = /hidden|(?<![\w-])(?:la|lab-bb|b-lab)(?![\w-])/u

type Partitions = OutputOf<typeof partitionsList>

/** The answers without what decision 9 lists: which parts of a shared GPU are taken by others or free. */
const withoutTaken = (told: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(told)
      // What fits beside them on a GPU that they share is what is not taken of it.
      .filter(([asked]) => !asked.startsWith('partitionsRoom'))
      .map(([asked, answer]) => [asked, answerWithoutTaken(asked, answer)]),
  )

function answerWithoutTaken(asked: string, answer: unknown): unknown {
  if (asked.startsWith('partitionsList')) {
    return partitionsWithoutTaken(OPERATIONS.partitionsList.output.parse(answer))
  }
  if (asked.startsWith('fleetMap')) return mapWithoutTaken(OPERATIONS.fleetMap.output.parse(answer))
  if (asked.startsWith('fleetGpu')) return cardWithoutTaken(OPERATIONS.fleetGpu.output.parse(answer))
  if (asked.startsWith('reportGet')) {
    const report = OPERATIONS.reportGet.output.parse(answer)
    return { ...report, partitions: partitionsWithoutTaken(report.partitions) }
  }
  if (!asked.startsWith('workloadsGet')) return answer
  const detail = OPERATIONS.workloadsGet.output.parse(answer)
  return { ...detail, gpus: detail.gpus.map(({ node, gpu }) => ({ node, gpu: gpuWithoutTaken(gpu) })) }
}

const isNotTheirs = (kind: string | undefined): boolean => kind === 'others' || kind === 'free'

/** The map with why each block is not measured beside it, and none beside blocks that are not the caller's. */
function mapWithoutTaken({ now, ...map }: OutputOf<typeof fleetMap>): unknown {
  const { reasons, blocks, ...rest } = now
  const kinds = BlockSchema.shape.kind.options
  const blocksNow = blocks.kind.map((kind, order) => ({
    kind: isNotTheirs(kinds[kind]) ? 'others' : kinds[kind],
    busy: blocks.busy[order],
    holder: blocks.holder[order],
    reason: isNotTheirs(kinds[kind]) ? undefined : reasons[blocks.reason[order] ?? -1],
  }))
  return { ...map, now: { ...rest, blocks: blocksNow } }
}

/** The card of a GPU: of its own readings and of parts that are not the caller's the values, but not why there is none. */
function cardWithoutTaken({ gpu, reading, partitions, ...card }: OutputOf<typeof fleetGpu>): unknown {
  return {
    ...card,
    gpu: gpuWithoutTaken(gpu),
    reading: { ...reading, memoryUsed: reading.memoryUsed.value, power: reading.power.value },
    partitions: partitions.map((part) =>
      isNotTheirs(part.kind)
        ? { ...part, kind: 'others', busy: part.busy.value, memoryUsed: part.memoryUsed.value }
        : part,
    ),
  }
}

const gpuWithoutTaken = (gpu: GpuView): GpuView => ({
  ...gpu,
  blocks: gpu.blocks.map((block) =>
    isNotTheirs(block.kind) ? { ...block, kind: 'others', because: null, busy: null } : block,
  ),
})

/** What is said is made of these rows: it counts the same parts. */
const partitionsWithoutTaken = ({ says: _says, ...answer }: Partitions): unknown => ({
  ...answer,
  nodes: answer.nodes.map(({ used, available, ...node }) => ({
    ...node,
    taken: used + available,
    gpus: node.gpus.map(gpuWithoutTaken),
  })),
})

const parsed = (answer: unknown): OutputOf<typeof costBreakdown> => OPERATIONS.costBreakdown.output.parse(answer)
const listOf = (answer: unknown) => OPERATIONS.recommendationsList.output.parse(answer)
