import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuNode, Problem } from '../../cluster/node.ts'
import { unsoundGpu, unsoundNode } from '../../cluster/soundness.ts'
import { UNCONSTRAINED } from '../../cluster/scheduling.ts'
import type { Pod, PodId } from '../../cluster/workload.ts'
import { type PriceOf, pricesOf, pricingOf } from '../../cost/prices-of.ts'
import type { PriceBook } from '../../cost/price.ts'
import { profileOf } from '../../gpu/board.ts'
import { profileOfResource } from '../../gpu/profile-name.ts'
import { compareText, usdPerGpuHour, type UsdPerGpuHour } from '../../units.ts'
import { nodeRefusal, type PodRules } from '../../cluster/node-rules.ts'
import { RESERVED } from '../repack/repack-regions.ts'
import type { IndexedFleet } from '../../fleet/indexed-fleet.ts'
import { ownNameOn } from '../../fleet/gpu-state.ts'
import { supplyClassOf, type GpuSlot, type GpuSpace } from '../../fleet/gpu-space.ts'
import { WHOLE_GPU, WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import type { DemandClass, Fit, LayoutProblem, SupplyClass } from '../layout/layout-problem.ts'

/** The counting question of a cluster: which layouts its GPUs should have for what runs and what waits. */
export type FleetProblem = {
  readonly problem: LayoutProblem
  /** Classes without a price, and what they are planned with at; undefined where all or none have one. */
  readonly assumed: AssumedPrice | undefined
  /** GPUs that the question is about, and those of them that somebody holds a part of. */
  readonly gpus: number
  readonly used: number
  /** GPUs that pods hold whole: no layout can take fewer for them, so they are not asked about. */
  readonly heldWhole: number
  /** GPUs that stay as they are, with the reason. */
  readonly leftOut: readonly Problem[]
  /** Waiting pods that ask for what no working GPU of the cluster offers them under any layout. */
  readonly misfits: readonly Pod[]
}

/**
 * Running work stays on its GPU model, pool and actuator; work that starts may go to every class with a node that its
 * rules allow. CPU, memory and groups of GPUs are left out of the question, so its bound holds for all who obey them too.
 */
export function fleetProblem(
  snapshot: ClusterSnapshot,
  fleet: IndexedFleet,
  { prices, waiting }: { readonly prices: PriceBook; readonly waiting: readonly Pod[] },
): FleetProblem {
  const spaces = fleet.spaces().map((space) => ({ space, because: whyLeftOut(space) }))
  const open = spaces.flatMap(({ space, because }) => (because === undefined ? [space] : []))
  const bound = new Set(snapshot.pods.flatMap(({ id, node }) => (node === undefined ? [] : [id])))
  const cuttable = open.filter((space) => !isHeldWhole(space, bound))
  const { classes, assumed } = withoutGaps(classesOf(cuttable, pricesOf(prices, pricingOf(snapshot))))
  const fitsFor = fitFinder(cuttable)
  const running = cuttable.flatMap((space) =>
    heldSlots(space).flatMap((slot): ReadonlyArray<readonly Fit[]> =>
      slot.pods.some((pod) => !bound.has(pod))
        ? [fitsFor(slot.resource, fleet.pods.get(slot.pods[0] ?? ''))]
        : [[{ supplyClass: supplyClassOf(space), profile: ownNameOn(space.board, slot.profile) }]],
    ),
  )
  const wants = waiting.map((pod) => ({
    pod,
    fits: pod.requests.flatMap(({ resource, count }) => {
      const fits = fitsFor(resource, pod)
      return Array.from({ length: count }, () => fits)
    }),
  }))
  // One that wants what is held whole or left out may still start by moves: it is only not counted here.
  const counted = wants.filter(({ fits }) => fits.every(({ length }) => length > 0))
  const fitsAnywhere = fitFinder(fleet.spaces().filter((space) => space.open))
  const misfits = waiting.filter((pod) => pod.requests.some(({ resource }) => fitsAnywhere(resource, pod).length === 0))
  return {
    assumed,
    problem: { classes, demands: demandsOf([...running, ...counted.flatMap(({ fits }) => fits)]) },
    gpus: cuttable.length,
    used: cuttable.filter((space) => heldSlots(space).length > 0).length,
    heldWhole: open.length - cuttable.length,
    leftOut: spaces.flatMap(({ space, because }) =>
      because === undefined ? [] : [{ code: 'left-as-is', object: `gpu/${space.gpu.id}`, message: because }],
    ),
    misfits,
  }
}

type AssumedPrice = { readonly classes: readonly string[]; readonly price: UsdPerGpuHour }

/**
 * One without a price is planned with as if it cost what the others do in the mean, by number: a single one would turn the
 * goal of all from the least cost to the fewest GPUs.
 */
function withoutGaps(classes: readonly SupplyClass[]): Pick<FleetProblem, 'assumed'> & Pick<LayoutProblem, 'classes'> {
  const priced = classes.flatMap(({ price, supply }) => (price === undefined ? [] : [{ price, supply }]))
  if (priced.length === 0 || priced.length === classes.length) return { classes, assumed: undefined }
  const gpus = priced.reduce((sum, { supply }) => sum + supply, 0)
  const mean = priced.reduce((sum, { price, supply }) => sum + price * supply, 0) / gpus
  const price = usdPerGpuHour(Math.round(mean * 100) / 100)
  const unpriced = classes.flatMap((each) => (each.price === undefined ? [each.id] : []))
  return {
    classes: classes.map((each) => ({ ...each, price: each.price ?? price })),
    assumed: { classes: unpriced, price },
  }
}

/** Partitions that a pod holds or will hold. */
export const heldSlots = ({ slots }: GpuSpace): readonly GpuSlot[] =>
  slots.filter(({ pods }) => pods.some((pod) => pod !== RESERVED))

/** Held whole by a pod that runs now. */
const isHeldWhole = (space: GpuSpace, bound: ReadonlySet<PodId>): boolean =>
  heldSlots(space).some(({ profile, pods }) => profile === WHOLE_GPU && pods.some((id) => bound.has(id)))

function whyLeftOut(space: GpuSpace): string | undefined {
  const { gpu, node } = space
  const unsound = unsoundNode(node) ?? unsoundGpu(gpu)
  if (unsound !== undefined) return unsound
  if (gpu.model === undefined) return `Its board, ${node.product || 'without a label'}, is unknown.`
  return node.schedulable ? whyNotCounted(space) : `${node.name} takes no pods.`
}

/** Why no layout of a sound GPU is counted. */
function whyNotCounted({ gpu, node, slots, board }: GpuSpace): string | undefined {
  // The strategy says how a node would offer MIG devices, not that it has any: the GPU Operator sets it on every node.
  if (node.mig.strategy === 'single' && gpu.migEnabled)
    return `${node.name} offers MIG devices under the single strategy, as plain GPUs.`
  if (slots.some(({ shared }) => shared)) return `${node.name} shares it by software.`
  return gpu.migEnabled && board === undefined ? 'Its MIG layout is unknown.' : undefined
}

function classesOf(spaces: readonly GpuSpace[], priceOf: PriceOf): readonly SupplyClass[] {
  return [...Map.groupBy(spaces, supplyClassOf)]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([id, own]): readonly SupplyClass[] => {
      const [first] = own
      if (first === undefined) return []
      const { actuator, node } = first
      const model = first.gpu.model ?? ''
      const price = priceOf({ pool: node.pool, model })
      const board = own.find((space) => space.board !== undefined && canOfferMig(space.node))?.board
      const known = price.kind === 'known' ? price.price : undefined
      return [{ id, model, pool: node.pool, board, supply: own.length, price: known, actuator }]
    })
}

const canOfferMig = ({ mig }: GpuNode): boolean => mig.strategy === 'mixed'

type FitFinder = (resource: string, pod: Pod | undefined) => readonly Fit[]

/** Looks up, for a resource and a pod's rules, every class with a node that would take it and a board that has it. */
function fitFinder(spaces: readonly GpuSpace[]): FitFinder {
  const sites = new Map(spaces.map((space) => [`${space.node.name} ${supplyClassOf(space)}`, space]))
  const found = new Map<string, readonly Fit[]>()
  return (resource, pod) => {
    const { nodeSelector, nodeTerms, tolerations } = pod?.scheduling ?? UNCONSTRAINED
    const key = JSON.stringify([resource, nodeSelector, nodeTerms, tolerations])
    const known = found.get(key) ?? fitsAmong(sites.values(), resource, { nodeSelector, nodeTerms, tolerations })
    found.set(key, known)
    return known
  }
}

function fitsAmong(sites: Iterable<GpuSpace>, resource: string, rules: PodRules): readonly Fit[] {
  const fits = new Map<string, Fit>()
  for (const space of sites) {
    const supplyClass = supplyClassOf(space)
    const profile = fits.has(supplyClass) ? undefined : profileOn(space, resource)
    if (profile === undefined || nodeRefusal(rules, space.node.room) !== undefined) continue
    fits.set(supplyClass, { supplyClass, profile })
  }
  return [...fits.values()].toSorted((a, b) => compareText(a.supplyClass, b.supplyClass))
}

function profileOn({ board, node }: GpuSpace, resource: string): string | undefined {
  if (resource === WHOLE_GPU_RESOURCE) return WHOLE_GPU
  const name = profileOfResource(resource)
  if (board === undefined || name === undefined || !canOfferMig(node)) return undefined
  return profileOf(board, name)?.name
}

/** Equal wants together, named by what they accept. */
function demandsOf(wants: ReadonlyArray<readonly Fit[]>): readonly DemandClass[] {
  const groups = Map.groupBy(wants, (fits) => JSON.stringify(fits))
  return [...groups]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([id, own]) => (own[0] === undefined ? [] : [{ id, count: own.length, fits: own[0] }]))
}
