import { geometryOf } from '../../gpu/layout.ts'
import { canonicalGeometry } from '../../fleet/gpu-state.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { Action, KeepFree } from '../../plan/words/action.ts'
import type { ActionRun } from '../action-run.ts'

/** `workload/…`, `node/…`: what a run is about and what its steps change or move; a node that is only cordoned is not among it. */
export const changedObjects = ({ object, plan }: Pick<ActionRun, 'object' | 'plan'>, state: Fleet) =>
  new Set([
    ...(isTimed(object) ? [] : [object]),
    ...plan.steps.flatMap(({ action }) => (isLeaving(action) ? [] : objectOf(action, state))),
  ])

/** Two appointments for one instant change no object twice. */
const isTimed = (object: string): boolean => object.startsWith('appointment/')

/** Steps that leave a node as it was but for who may come. */
const isLeaving = (action: Action): action is Extract<Action, { readonly kind: Leaving }> => LEAVES.has(action.kind)
type Leaving = 'cordon' | 'uncordon' | 'keep-free'
const LEAVES: ReadonlySet<Action['kind']> = new Set(['cordon', 'uncordon', 'keep-free'])

/** `workload/…`, `node/…`: what the steps write to. An eviction writes to no workload: its controller stays as it was. */
export const writtenObjects = ({ plan }: Pick<ActionRun, 'plan'>, state: Fleet): ReadonlySet<string> =>
  new Set(
    plan.steps.flatMap(({ action }) =>
      action.kind === 'evict' || action.kind === 'keep-free' ? [] : objectOf(action, state),
    ),
  )

function objectOf(action: Exclude<Action, KeepFree>, { nodeOfGpu }: Fleet): string {
  if ('workload' in action) return `workload/${action.workload}`
  if ('node' in action) return `node/${action.node}`
  const node = nodeOfGpu.get(action.gpu)
  return node === undefined ? `gpu/${action.gpu}` : `node/${node}`
}

/** From what to what an object is changed, as text that is equal for what is alike. */
export type PolicyTurn = { readonly object: string; readonly from: string; readonly to: string }

/** What a run turns into something else, in the order of its steps; an eviction or a cordon leaves things as they were. */
export const policyTurns = ({ plan }: Pick<ActionRun, 'plan'>): readonly PolicyTurn[] =>
  plan.steps.flatMap(({ action }) => turnOf(action) ?? [])

function turnOf(action: Action): PolicyTurn | undefined {
  if (action.kind === 'repartition') {
    const cut = (side: 'from' | 'to'): string => JSON.stringify(action.gpus.map((change) => cutOf(change, side)))
    return { object: `node/${action.node}`, from: cut('from'), to: cut('to') }
  }
  if (!('from' in action)) return undefined
  const object = 'workload' in action ? `workload/${action.workload}` : `node/${action.node}`
  return {
    object,
    from: `${action.kind} ${JSON.stringify(action.from)}`,
    to: `${action.kind} ${JSON.stringify(action.to)}`,
  }
}

type Change = Extract<Action, { readonly kind: 'repartition' }>['gpus'][number]

function cutOf({ index, from, to }: Change, side: 'from' | 'to') {
  const { migEnabled } = side === 'from' ? from : to
  const geometry = side === 'from' ? geometryOf(from.layout) : to.geometry
  return [index, migEnabled, canonicalGeometry(undefined, geometry)]
}
