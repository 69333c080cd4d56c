import { displacedBy } from '../guardrail/displaced-by.ts'
import type { Action, DurationEstimate, GpuChange, PlanStep } from '../words/action.ts'
import { preconditionsOf } from './conditions.ts'
import type { PlanPolicy } from '../words/plan-policy.ts'
import { gpuOf, type Fleet } from '../../fleet/fleet.ts'
import { switchesModeWithReset, wordsFor } from './step-words.ts'
import { seconds } from '../../units.ts'
import type { Gpu } from '../../cluster/node.ts'
import { arrange } from '../../gpu/infer-placements.ts'
import { geometryOf, type Layout } from '../../gpu/layout.ts'
import { boardOf } from '../../fleet/gpu-state.ts'
import { migConfigName } from '../words/mig-config.ts'
import { stepsByKind } from '../words/by-kind.ts'

/** The step that an action is when it is about to run on this state. */
export const stepOf = (action: Action, state: Fleet, policy: PlanPolicy): Omit<PlanStep, 'number'> => ({
  action,
  ...wordsFor(action, state),
  preconditions: preconditionsOf(action, state),
  displaced: displacedBy(action, state),
  duration: policy.measured[action.kind] ?? (needsReset(action, state) ? WITH_RESET : ASSUMED[action.kind]),
  inverse: inverseOf(action, state),
})

function needsReset(action: Action, state: Fleet): boolean {
  if (action.kind !== 'repartition') return false
  const node = state.nodes.get(action.node)
  return node !== undefined && action.gpus.some((change) => switchesModeWithReset(node, change))
}

const assumed = (low: number, high: number, because: string): DurationEstimate => ({
  low: seconds(low),
  high: seconds(high),
  source: `assumed: ${because}`,
})

// Where nothing was measured on this cluster: no source gives an end-to-end figure for a MIG reconfiguration.
const ASSUMED = {
  cordon: assumed(0, 5, 'one API call'),
  uncordon: assumed(0, 5, 'one API call'),
  evict: assumed(1, 120, 'the grace period of the pod, 30 s unless it asks for more'),
  repartition: assumed(
    30,
    300,
    'published logs show about a second for the geometry; stopping and starting the GPU services of the node takes tens of seconds to minutes',
  ),
  'create-instance': assumed(1, 30, 'the driver makes an instance while it prepares a claim'),
  'delete-instance': assumed(1, 30, 'the driver removes an instance when its claim is released'),
  resize: assumed(10, 600, 'the controller replaces the pods one by one'),
  scale: assumed(1, 120, 'the grace period of the pods'),
  share: assumed(10, 120, 'the device plugin restarts'),
  'remove-node': assumed(30, 600, 'the cloud or a person removes the machine'),
  'keep-free': assumed(0, 600, 'checked from ten minutes before until the GPUs are free'),
  reschedule: assumed(1, 60, 'the scheduler tries the pods again'),
} satisfies Record<Action['kind'], DurationEstimate>

const WITH_RESET = assumed(
  30,
  1200,
  'as a change of geometry, and a change of MIG mode on this generation resets the GPU; where a cloud forbids that, the node restarts',
)

/** What takes an action back; empty where nothing can or need be taken back. */
const inverseOf = (action: Action, state: Fleet): readonly Action[] =>
  stepsByKind<Action, readonly Action[]>(action, {
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

function repartitionBack(action: Extract<Action, { readonly kind: 'repartition' }>, state: Fleet): Action {
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
