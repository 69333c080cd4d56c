import { otherSpellings, plainProfiles, profileOf } from '../gpu/board.ts'
import { boardFor } from '../gpu/known-boards.ts'
import { isRoundedAlike, parseProfileName, profileOfResource } from '../gpu/profile-name.ts'
import { WHOLE_GPU_RESOURCE } from '../gpu/whole-gpu.ts'
import { compareText, type Instant } from '../units.ts'
import { listed } from '../words.ts'
import type { GpuNode, Problem } from './node.ts'

/** What the API says of a node. */
type ToldNode = Pick<GpuNode, 'name' | 'ready' | 'product' | 'mig' | 'allocatable'> & {
  /** GPU resources that the kubelet knows of, healthy or not. */
  readonly capacity: Readonly<Record<string, number>>
  /** Devices that labels count, by the resource that should offer them, replicas included. */
  readonly labelled: Readonly<Record<string, number>>
  /** Operator components paused for a MIG change. */
  readonly paused: readonly string[]
  /** Why no mig-manager runs there. Absent: one may. */
  readonly noMigManager?: NoMigManager | undefined
  /** What a health monitor reports of its GPUs, each with the condition that says so. */
  readonly unhealthy: readonly string[]
}

export type NoMigManager = 'dra-stack' | 'switched-off'

/** After this long, a MIG change that still has components paused will not end by itself (mig-parted issue 485). */
const WEDGED_AFTER_MINUTES = 10

/** What is wrong with a node by its own labels and resources. */
export function nodeProblems(
  node: ToldNode,
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
    ...(context.hasDevices ? [] : unmanaged(node, problem)),
    ...node.unhealthy.map((said) =>
      problem('gpus-reported-unhealthy', `its health monitor reports ${said.replace(/\.$/u, '')}; ${UNHEALTHY}`),
    ),
    ...(node.product.includes('-MIG-INVALID') ? [problem('mig-invalid', INVALID)] : []),
    ...(changing || !node.ready ? [] : [...contradictions(node, context.hasDevices), ...withheld(node)]),
  ]
}

type Say = (code: string, message: string) => Problem

const problemOf =
  (node: ToldNode): Say =>
  (code, message) => ({ code, message: `${node.name}: ${message}`, object: `node/${node.name}` })

const UNHEALTHY = 'nothing is changed on the node until the condition is gone.'

const INVALID =
  'its GPUs have different MIG layouts, which the single MIG strategy cannot offer, so it offers none; ' +
  'give them all one geometry, or use the mixed strategy.'

function migFailed({ product, mig: { config = 'unknown' } }: ToldNode, problem: Say): Problem {
  const failed = `the MIG configuration "${config}" could not be applied and is not retried automatically; `
  const [, profile = ''] = /^all-(\d.+)$/u.exec(config) ?? []
  const board = boardFor(product)
  const others = board === undefined ? [] : otherSpellings(board, profile)
  if (others.length > 0)
    return problem(
      'mig-failed',
      `${failed}drivers spell ${profile} of this board ${listed(others, 'or')} as well, and take their own spelling only: ` +
        `see with nvidia-smi mig -lgip how this one does, then set nvidia.com/mig.config to ${listed(
          others.map((name) => `all-${name}`),
          'or',
        )}.`,
    )
  if (board !== undefined && parseProfileName(profile) !== undefined && profileOf(board, profile) === undefined)
    return problem(
      'mig-failed',
      `${failed}this board has no profile ${profile}: it has ${listed(plainProfiles(board).map(({ name }) => name))}; ` +
        'set nvidia.com/mig.config to a configuration of these.',
    )
  return problem('mig-failed', `${failed}free the GPUs, then set nvidia.com/mig.config to another name.`)
}

/** Of a node that may have GPUs to cut. */
function unmanaged({ product, noMigManager }: ToldNode, problem: Say): readonly Problem[] {
  const mayCut = product === '' || boardFor(product) !== undefined
  return noMigManager === undefined || !mayCut ? [] : [problem(NO_MIG_MANAGER, UNMANAGED[noMigManager])]
}

/** Nothing cuts the GPUs of such a node by its label; all else of it is sound. */
export const NO_MIG_MANAGER = 'no-mig-manager'

const UNMANAGED = {
  'dra-stack':
    'the GPU Operator serves it by DRA (GPUCluster), so no mig-manager cuts its GPUs; let Septet read resourceslices to plan for DRA.',
  'switched-off':
    'its label nvidia.com/gpu.deploy.mig-manager is false, so nothing cuts its GPUs; set it to true if mig-manager should.',
} satisfies Record<NoMigManager, string>

function wedged(
  node: ToldNode,
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

function contradictions(node: ToldNode, hasDevices: boolean): readonly Problem[] {
  const offersNone = Object.keys(node.capacity).length === 0
  if (offersNone && hasDevices) return []
  return Object.keys(node.labelled)
    .toSorted(compareText)
    .flatMap((resource) => {
      const labelled = node.labelled[resource] ?? 0
      const offered = (node.capacity[resource] ?? 0) + (node.capacity[`${resource}.shared`] ?? 0)
      if (labelled === offered || (partly(node, resource) && offered < labelled)) return []
      const meant = offered === 0 ? misspelt(node, resource, labelled) : undefined
      if (meant !== undefined)
        return [problemOf(node)('label-contradicts-devices', oldSpelling(resource, meant, labelled))]
      const message =
        `labels count ${labelled} of ${resource}, the kubelet knows ${offered}; the kubelet's figure is used; ` +
        'see whether the device plugin and GPU feature discovery run on the node.'
      return [problemOf(node)('label-contradicts-devices', message)]
    })
}

/** The resource that the kubelet offers as many of, whose name differs by the rounding of its gigabytes alone. */
function misspelt({ capacity, labelled }: ToldNode, resource: string, count: number): string | undefined {
  const profile = profileOfResource(resource)
  return Object.keys(capacity).find((other) => {
    const offered = profileOfResource(other)
    return (
      profile !== undefined &&
      offered !== undefined &&
      labelled[other] === undefined &&
      capacity[other] === count &&
      isRoundedAlike(offered, profile)
    )
  })
}

const oldSpelling = (label: string, offered: string, count: number): string =>
  `its labels spell ${offered} as ${label}, as an old GPU feature discovery does; the kubelet's name is the right one and ` +
  `its ${count} devices are counted; update GPU feature discovery on the node.`

// Under the mixed strategy gpu.count counts all GPUs, but nvidia.com/gpu offers only those that are not cut.
const partly = (node: ToldNode, resource: string): boolean =>
  resource === WHOLE_GPU_RESOURCE && node.mig.strategy === 'mixed'

function withheld(node: ToldNode): readonly Problem[] {
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
