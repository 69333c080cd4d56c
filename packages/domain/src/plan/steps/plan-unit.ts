import { compareText } from '../../units.ts'
import type { PartitionId } from '../../cluster/node.ts'
import type { PodId } from '../../cluster/workload.ts'
import type { Actuator } from '../../gpu/actuator.ts'
import type { GpuTarget, PodMove } from '../words/action.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { Wish } from '../words/wish.ts'
import { stepsByKind } from '../words/by-kind.ts'

/**
 * A part of a plan that is done whole or refused whole: the GPUs of one node, or one wish about a node or a workload.
 */
export type PlanUnit = {
  /** `node/…` or `workload/…`. */
  readonly object: string
  readonly moves: ReadonlyMap<PodId, PodMove>
} & (
  | {
      readonly kind: 'layout'
      readonly node: string
      readonly targets: readonly GpuTarget[]
      readonly actuator: Actuator
    }
  | { readonly kind: 'share'; readonly wish: Extract<Wish, { readonly kind: 'share' }> }
  | { readonly kind: 'remove-node'; readonly node: string }
  | { readonly kind: 'workload'; readonly wish: Extract<Wish, { readonly kind: 'resize' | 'scale' | 'reschedule' }> }
)

/**
 * The units of the wishes in the order in which they are done: what frees room first, what needs room last; among nodes
 * those that receive pods before those that give them. A circle of nodes is cut where the name comes first, and the pods
 * concerned wait for a while.
 */
export function unitsOf(wishes: readonly Wish[], state: Fleet): readonly PlanUnit[] {
  return receiversFirst(
    wishes.flatMap((wish) => unitsOfWish(wish, state)),
    state,
  ).toSorted((a, b) => RANK[rankKey(a)] - RANK[rankKey(b)])
}

const RANK = { scale: 0, layout: 1, share: 2, resize: 3, 'remove-node': 4, reschedule: 5 } satisfies Record<
  Wish['kind'],
  number
>

const rankKey = (unit: PlanUnit): Wish['kind'] => (unit.kind === 'workload' ? unit.wish.kind : unit.kind)

const unitsOfWish = (wish: Wish, state: Fleet): readonly PlanUnit[] =>
  stepsByKind<Wish, readonly PlanUnit[]>(wish, {
    layout: (wished) => layoutUnits(wished, state),
    share: (wished) => [{ kind: 'share', object: `node/${wished.node}`, moves: byPod(wished.moves), wish: wished }],
    'remove-node': ({ node, moves }) => [{ kind: 'remove-node', object: `node/${node}`, moves: byPod(moves), node }],
    resize: workloadUnit,
    scale: workloadUnit,
    reschedule: workloadUnit,
  })

const workloadUnit = (
  wish: Extract<Wish, { readonly kind: 'resize' | 'scale' | 'reschedule' }>,
): readonly PlanUnit[] => [{ kind: 'workload', object: `workload/${wish.workload}`, moves: new Map(), wish }]

function layoutUnits(wish: Extract<Wish, { readonly kind: 'layout' }>, state: Fleet): PlanUnit[] {
  const byNode = new Map<string, GpuTarget[]>()
  for (const target of wish.targets) {
    const node = state.nodeOfGpu.get(target.gpu) ?? ''
    byNode.set(node, [...(byNode.get(node) ?? []), target])
  }
  const moves = byPod(wish.moves)
  return [...byNode].map(([node, targets]) => ({
    kind: 'layout',
    object: node === '' ? `gpu/${targets[0]?.gpu}` : `node/${node}`,
    moves,
    node,
    targets: targets.toSorted((a, b) => compareText(a.gpu, b.gpu)),
    actuator: wish.actuator ?? (state.servedByDra.has(node) ? 'dra' : 'mig-manager'),
  }))
}

const byPod = (moves: readonly PodMove[]): ReadonlyMap<PodId, PodMove> => new Map(moves.map((move) => [move.pod, move]))

/** Node units in an order in which a node that receives pods comes before the nodes that they leave. */
function receiversFirst(units: readonly PlanUnit[], state: Fleet): readonly PlanUnit[] {
  const ordered = units.toSorted((a, b) => compareText(a.object, b.object))
  const byObject = new Map(ordered.map((unit) => [unit.object, unit]))
  const sources = partitionNodes(state)
  const receivers = new Map(ordered.map((unit) => [unit.object, receiversOf(unit, { state, sources })]))
  const placed = new Set<string>()
  const visiting = new Set<string>()
  const result: PlanUnit[] = []
  for (const unit of ordered) visit(unit)
  return result

  function visit(first: PlanUnit): void {
    // A stack instead of recursion: chains of moves are as long as the fleet is large.
    const stack = [first]
    for (let unit = stack.at(-1); unit !== undefined; unit = stack.at(-1)) {
      visiting.add(unit.object)
      const next = (receivers.get(unit.object) ?? [])
        .flatMap((object) => byObject.get(object) ?? [])
        .find(({ object }) => !placed.has(object) && !visiting.has(object))
      if (next !== undefined) {
        stack.push(next)
        continue
      }
      stack.pop()
      if (!placed.has(unit.object)) result.push(unit)
      placed.add(unit.object)
    }
  }
}

function receiversOf(
  unit: PlanUnit,
  { state, sources }: { readonly state: Fleet; readonly sources: ReadonlyMap<PartitionId, string> },
): readonly string[] {
  const receivers = new Set<string>()
  for (const { from, to } of unit.moves.values()) {
    const receiver = to === undefined ? undefined : state.nodeOfGpu.get(to.gpu)
    if (receiver !== undefined && `node/${sources.get(from)}` === unit.object) receivers.add(`node/${receiver}`)
  }
  receivers.delete(unit.object)
  return [...receivers].toSorted(compareText)
}

const partitionNodes = ({ nodes }: Fleet): ReadonlyMap<PartitionId, string> =>
  new Map(
    [...nodes.values()].flatMap(({ name, gpus }) =>
      gpus.flatMap(({ partitions }) => partitions.map(({ id }) => [id, name] as const)),
    ),
  )
