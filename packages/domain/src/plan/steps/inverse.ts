import type { Gpu } from '../../cluster/node.ts'
import { arrange } from '../../gpu/infer-placements.ts'
import { geometryOf, type Layout } from '../../gpu/layout.ts'
import type { Action, GpuChange } from '../words/action.ts'
import { boardOf } from '../state/gpu-state.ts'
import { migConfigName } from '../state/mig-config.ts'
import { gpuOf, type PlanState } from '../state/plan-state.ts'
import { byKind } from '../words/by-kind.ts'

/** What takes an action back; empty where nothing can or need be taken back. */
export const inverseOf = (action: Action, state: PlanState): readonly Action[] =>
  byKind<Action, readonly Action[]>(action, {
    cordon: ({ node }) => [{ kind: 'uncordon', node }],
    uncordon: ({ node }) => [{ kind: 'cordon', node }],
    evict: () => [],
    'keep-free': () => [],
    'remove-node': () => [],
    repartition: (done) => [repartitionBack(done, state)],
    'create-instance': ({ gpu, instance }) => [{ kind: 'delete-instance', gpu, instance }],
    'delete-instance': ({ gpu, instance }) => [{ kind: 'create-instance', gpu, instance }],
    resize: ({ from, to, ...rest }) => [{ ...rest, from: to, to: from }],
    scale: ({ from, to, ...rest }) => [{ ...rest, from: to, to: from }],
    share: ({ from, to, ...rest }) => [
      { ...rest, from: to, to: from, tenant: from.kind === 'none' ? '' : rest.tenant },
    ],
    reschedule: ({ from, to, ...rest }) => [{ ...rest, from: to, to: from }],
  })

function repartitionBack(action: Extract<Action, { readonly kind: 'repartition' }>, state: PlanState): Action {
  const gpus = action.gpus.map(({ gpu: id, index, from, to }): GpuChange => {
    const gpu = gpuOf(state, id)
    return {
      gpu: id,
      index,
      from: { migEnabled: to.migEnabled, layout: gpu === undefined ? [] : layoutAfter(gpu, to) },
      to: { migEnabled: from.migEnabled, geometry: geometryOf(from.layout) },
    }
  })
  return { kind: 'repartition', node: action.node, config: migConfigName(gpus, action.config), gpus }
}

function layoutAfter(gpu: Gpu, { geometry }: GpuChange['to']): Layout {
  const board = boardOf(gpu)
  const names = Object.entries(geometry).flatMap(([name, count]) => Array.from({ length: count }, () => name))
  const arrangement = board === undefined ? undefined : arrange(board, names)
  return arrangement?.kind === 'feasible' ? arrangement.layout : []
}
