import { compareText, type Instant, type Problem, WHOLE_GPU_RESOURCE } from '@septet/domain'
import type { NodeFacts } from '../read/parse-node.ts'

/** After this long, a MIG change that still has components paused will not end by itself (mig-parted issue 485). */
const WEDGED_AFTER_MINUTES = 10

/** What is wrong with a node by its own labels and resources. */
export function nodeProblems(
  node: NodeFacts,
  context: {
    readonly now: Instant
    /** Since when `mig.config.state` has been pending, as far as is known. */
    readonly pendingSince: Instant | undefined
    /** A DRA driver publishes its devices, so the device plugin need not offer any. */
    readonly hasDevices: boolean
  },
): readonly Problem[] {
  const { state } = node.mig
  const changing = state === 'pending' || state === 'rebooting' || node.paused.length > 0
  const problem = problemOf(node)
  return [
    ...(state === 'failed' ? [migFailed(node, problem)] : []),
    ...wedged(node, context),
    ...(node.product.includes('-MIG-INVALID') ? [problem('mig-invalid', INVALID)] : []),
    ...(changing || !node.ready ? [] : [...contradictions(node, context.hasDevices), ...withheld(node)]),
  ]
}

type Say = (code: string, message: string) => Problem

const problemOf =
  (node: NodeFacts): Say =>
  (code, message) => ({ code, message: `${node.name}: ${message}`, object: `node/${node.name}` })

const INVALID =
  'its GPUs have different MIG layouts, which the single MIG strategy cannot offer, so it offers none; ' +
  'give them all one geometry, or use the mixed strategy.'

const migFailed = (node: NodeFacts, problem: Say): Problem =>
  problem(
    'mig-failed',
    `the MIG configuration "${node.mig.config ?? 'unknown'}" could not be applied and is not retried automatically; ` +
      'free the GPUs, then set nvidia.com/mig.config to another name.',
  )

function wedged(
  node: NodeFacts,
  { now, pendingSince }: { readonly now: Instant; readonly pendingSince: Instant | undefined },
): readonly Problem[] {
  if (node.mig.state !== 'pending' || node.paused.length === 0 || pendingSince === undefined) return []
  const minutes = Math.floor((now - pendingSince) / 60_000)
  if (minutes <= WEDGED_AFTER_MINUTES) return []
  const paused = node.paused.toSorted(compareText).join(', ')
  const message =
    `a MIG change has been pending for ${minutes} minutes with components still paused (${paused}), which does not end ` +
    'by itself; set their nvidia.com/gpu.deploy labels to true, then nvidia.com/mig.config to another name.'
  return [problemOf(node)('mig-wedged', message)]
}

function contradictions(node: NodeFacts, hasDevices: boolean): readonly Problem[] {
  const offersNone = Object.keys(node.capacity).length === 0
  if (offersNone && hasDevices) return []
  return Object.keys(node.labelled)
    .toSorted(compareText)
    .flatMap((resource) => {
      const labelled = node.labelled[resource] ?? 0
      const offered = (node.capacity[resource] ?? 0) + (node.capacity[`${resource}.shared`] ?? 0)
      if (labelled === offered || (partly(node, resource) && offered < labelled)) return []
      const message =
        `labels count ${labelled} of ${resource}, the kubelet knows ${offered}; the kubelet's figure is used; ` +
        'see whether the device plugin and GPU feature discovery run on the node.'
      return [problemOf(node)('label-contradicts-devices', message)]
    })
}

// Under the mixed strategy gpu.count counts all GPUs, but nvidia.com/gpu offers only those that are not cut.
const partly = (node: NodeFacts, resource: string): boolean =>
  resource === WHOLE_GPU_RESOURCE && node.mig.strategy === 'mixed'

function withheld(node: NodeFacts): readonly Problem[] {
  return Object.keys(node.capacity)
    .toSorted(compareText)
    .flatMap((resource) => {
      const known = node.capacity[resource] ?? 0
      const offered = node.allocatable[resource] ?? 0
      if (offered >= known) return []
      const message =
        `the kubelet offers ${offered} of ${known} ${resource}; the device plugin calls the others unhealthy or has ` +
        'stopped; look at its log on this node.'
      return [problemOf(node)('devices-withheld', message)]
    })
}
