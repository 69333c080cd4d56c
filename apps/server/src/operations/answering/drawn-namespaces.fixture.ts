import {
  type ClusterSnapshot,
  instant,
  type JudgedSample,
  ratio,
  type Recommendation,
  seconds,
  type UnansweredHolder,
} from '@septet/domain'
import * as fc from 'fast-check'

import { DRAWN_AT, draw } from '@septet/domain/testing'

/** One GPU of a drawn cluster: on which node, and who holds which of its parts (`undefined`: nobody). */
type Line = { readonly node: number; readonly board: Board; readonly holders: readonly (Holder | undefined)[] }
type Holder = { readonly mine: boolean; readonly namespace: number; readonly pod: number }
type Board = keyof typeof BOARDS

/** What a GPU of each board is cut into. */
const BOARDS = {
  'H100-80GB-HBM3': [''],
  'A100-SXM4-80GB': ['3g.40gb', '2g.20gb', '1g.10gb'],
  T4: ['1/2', '1/2'],
} satisfies Record<string, readonly string[]>

/** A cluster of several namespaces; `others` says what those that are not asked about are called and do. */
export type DrawnNamespaces = {
  readonly lines: readonly Line[]
  readonly waiting: readonly Holder[]
  readonly busy: readonly number[]
}

/** Names of which one is the beginning or the end of another. */
export const MINE = ['lab', 'lab-b']
const THEIRS = ['la', 'lab-bb', 'b-lab', 'hidden-lab']

const holder = fc.record({ mine: fc.boolean(), namespace: fc.nat({ max: 3 }), pod: fc.nat({ max: 2 }) })
const line = fc
  .record({ node: fc.nat({ max: 2 }), board: fc.constantFrom<Board>('H100-80GB-HBM3', 'A100-SXM4-80GB', 'T4') })
  .chain(({ node, board }) =>
    fc
      .tuple(...BOARDS[board].map(() => fc.option(holder, { nil: undefined, freq: 5 })))
      .map((holders): Line => ({ node, board, holders })),
  )
export const drawnNamespaces: fc.Arbitrary<DrawnNamespaces> = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 5 }),
  waiting: fc.array(holder, { maxLength: 3 }),
  busy: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }),
})

/** What is different about the others in a second cluster. */
export type Others = { readonly called: string; readonly busier: number; readonly gone: 'none' | 'elsewhere' | 'all' }
export const AS_DRAWN: Others = { called: 'hidden', busier: 0, gone: 'none' }

export function snapshotOf({ lines, waiting }: DrawnNamespaces, others: Others): ClusterSnapshot {
  const text = lines.map((one, order) => {
    const isShared = one.holders.some((each) => each?.mine)
    const boxes = BOARDS[one.board].map((part, place) => {
      const held = one.holders[place]
      const isGone =
        held !== undefined && !held.mine && (others.gone === 'all' || (others.gone === 'elsewhere' && !isShared))
      const name = held === undefined || isGone ? '-' : podOf(held, others, `${order}-${place}`)
      return `[${part} ${name}]`
    })
    return `node-${one.node}-${one.board.toLowerCase()}@pool-a  ${one.board}  ${boxes.join(' ')}`
  })
  const queue = waiting.flatMap((one, order) =>
    one.mine || others.gone === 'none' ? [`?  ${podOf(one, others, `w${order}`)}  gpu`] : [],
  )
  const drawn = draw`${[...text, ...queue].join('\n')}`
  return { ...drawn, queues: [{ name: `queue-of-${others.called}`, pendingWorkloads: 3, admittedWorkloads: 4 }] }
}

/** Mine and theirs may be called alike but for the namespace; theirs are also called `hidden`, which mine never are. */
function podOf({ mine, namespace, pod }: Holder, { called }: Others, place: string): string {
  if (mine) return `${MINE[namespace % MINE.length]}/train-${pod}-${place}`
  const name = THEIRS[namespace % THEIRS.length] ?? ''
  const renamed = called === 'hidden' ? name : `${name}-${called}`
  return `${renamed}/${pod === 0 ? `train-${pod}` : `${called}-${pod}`}-${place}`
}

export function samplesOf(snapshot: ClusterSnapshot, { busy }: DrawnNamespaces, { busier }: Others): JudgedSample[] {
  const holders = new Map(snapshot.allocations.map((one) => [one.partition, one.pod]))
  return snapshot.nodes.flatMap((node) =>
    node.gpus.flatMap((gpu) =>
      gpu.partitions.flatMap((partition, order) => {
        const pod = holders.get(partition.id)
        if (partition.kind === 'shared' || pod === undefined) return []
        const [namespace = '', name = ''] = pod.split('/')
        const isMine = MINE.includes(namespace)
        const own = busy[(gpu.index + order) % busy.length] ?? 0
        return {
          at: DRAWN_AT,
          node: node.name,
          gpu: gpu.id,
          index: gpu.index,
          model: gpu.model ?? '',
          busy: ratio(isMine ? own : Math.abs(own - busier)),
          holder: { namespace, pod: name, container: 'main' },
          quality: { kind: 'measured' as const },
          ...(partition.kind === 'mig' && { instance: { id: partition.instance, profile: partition.profile } }),
        }
      }),
    ),
  )
}

/** For each workload one recommendation; of mine also one that stops a pod of others and one that names it; one for each node. */
export function recommendationsOf(snapshot: ClusterSnapshot): Recommendation[] {
  const pods = snapshot.pods.filter(({ node }) => node !== undefined)
  const other = pods.find(({ namespace }) => !MINE.includes(namespace))
  return [
    ...pods.flatMap(({ id, namespace, workload }) => {
      const alone = { object: `workload/${workload}`, name: 'alone', stops: [id], snapshot }
      if (other === undefined || !MINE.includes(namespace)) return [made(alone)]
      return [
        made(alone),
        made({ ...alone, name: 'with-other', stops: [id, other.id] }),
        made({ ...alone, name: 'names-other', says: `${other.id} would be disturbed.` }),
        made({ ...alone, name: 'names-namespace', says: `The node also runs pods of lab, ${other.namespace}.` }),
      ]
    }),
    ...snapshot.nodes.map(({ name }) => made({ object: `node/${name}`, name: 'node', stops: [], snapshot })),
  ]
}

/** Every workload as an idle holder without an action, because of somebody else's wherever there is any. */
export const unansweredOf = ({ workloads }: ClusterSnapshot): readonly UnansweredHolder[] =>
  workloads.map(({ id }) => {
    const other = workloads.find(({ namespace }) => !MINE.includes(namespace))
    const because =
      other === undefined ? 'Other workloads prevent this for now.' : `It waits for “Release ${other.id}”.`
    return { workload: id, idleHours: 1, idleCost: undefined, reason: 'other-change', because }
  })

type Made = {
  readonly object: string
  readonly name: string
  readonly stops: readonly string[]
  readonly says?: string
  readonly snapshot: ClusterSnapshot
}

function made({ object, name, stops, says, snapshot }: Made): Recommendation {
  const duration = { low: seconds(1), high: seconds(2), source: 'assumed' }
  const workloads = new Map(snapshot.pods.map(({ id, workload }) => [id, workload]))
  return {
    id: `${snapshot.cluster}/${name}/${object}`,
    cluster: snapshot.cluster,
    kind: 'reclaim-idle',
    object,
    title: `Release ${object}`,
    message: 'It was idle. Release it.',
    rule: { name, version: 1 },
    madeAt: DRAWN_AT,
    evidence: {
      query: object,
      window: { from: DRAWN_AT, to: instant(DRAWN_AT + 1) },
      samples: 3,
      coverage: ratio(1),
      figures: {},
    },
    saving: { kind: 'none', brings: 'room', because: 'No amount.' },
    risk: { level: 'low', displaced: stops, duration, overrun: undefined, confidence: ratio(1) },
    plan: {
      id: `plan-${name}`,
      cluster: snapshot.cluster,
      madeFrom: DRAWN_AT,
      title: `Release ${object}`,
      steps: stops.map((pod, order) => ({
        number: order + 1,
        action: { kind: 'evict', pod, uid: pod, workload: workloads.get(pod) ?? '', because: 'It was idle.' },
        title: `Evict ${pod}`,
        preconditions: [],
        effect: 'It is gone.',
        displaced: [pod],
        duration,
        inverse: [],
      })),
      moves: [],
      refused: says === undefined ? [] : [{ code: 'disturbs', message: says, object: 'guardrail' }],
      bound: undefined,
    },
    rank: 1,
  }
}
