import { migPartitionId, type Gpu, type GpuNode, type Partition, type Problem, type Sharing } from './node.ts'
import { profileOf, type Board } from '../gpu/board.ts'
import { profileOfResource } from '../gpu/profile-name.ts'
import { findModel } from '../gpu/catalog.ts'
import type { Placement } from '../gpu/geometry.ts'
import { inferPlacements } from '../gpu/infer-placements.ts'
import { boardFor } from '../gpu/known-boards.ts'
import { isFeasible } from '../gpu/layout.ts'
import { devicesOf, type Device, type Instance, type NodeEvidence } from './assemble-devices.ts'
import { cutDevices } from './assemble-instances.ts'
import { isForVms } from '../gpu/device-parts.ts'
import { faultOf } from './gpu-fault.ts'
import { sharedPartitions, sharesOfGpu } from './gpu-share.ts'
import { offeredWhole } from './holders-per-device.ts'
import type { InventoryNode } from './inventory.ts'
import { isVmNode } from './soundness.ts'
import { isInUse, isStuck } from './sighting.ts'
import { agree, plural } from '../words.ts'
import { WHOLE_GPU_RESOURCE } from '../gpu/whole-gpu.ts'

/** A node with its GPUs and how each is cut, from what the API, telemetry and the snapshot before say. */
export function assembleNode(given: NodeEvidence): GpuNode {
  const devices = devicesOf(given, given.node.gpuCount)
  const node = { ...given.node, sharing: sharingOf(given.node, devices.length) }
  const evidence = { ...given, node }
  const labelled = findModel(node.product)?.name
  const model = labelled ?? devices.find((device) => device.model !== undefined)?.model
  const boardOf = (device: Device): Board | undefined => boardOfModel(device.model ?? model)
  const cutBefore = new Set(evidence.before?.gpus.flatMap(({ id, migEnabled }) => (migEnabled ? id : [])))
  const { instances, homeless, unclear } = cutDevices({
    node,
    devices,
    boardOf,
    held: heldWhole(evidence),
    used: new Set(evidence.seen.filter(isInUse).map(({ gpu }) => gpu)),
    cutBefore,
  })
  const faultsBefore = new Map(evidence.before?.gpus.map(({ id, fault }) => [id, isTaint(fault) ? undefined : fault]))
  const stuck = new Set(evidence.seen.filter(isStuck).map(({ gpu }) => gpu))
  const stuckBefore = new Set(evidence.before?.gpus.filter((gpu) => gpu.stuck).map(({ id }) => id))
  const offered = Object.keys(node.allocatable).flatMap((resource) => profileOfResource(resource) ?? [])
  const gpus = devices.map((device) => {
    const migInstances = instances.get(device.id)
    const board = boardOf(device)
    const mig = migInstances === undefined ? undefined : migPartitions(device, migInstances, board)
    const gpu = gpuOf(device, node, mig)
    // Silence does not mend a GPU: one that fell off the bus is not exported any more.
    const isSilent = device.xid === undefined
    const fault = (isSilent ? faultsBefore.get(device.id) : gpu.fault) ?? taintOn(device.id, node)
    const names = [...offered, ...(migInstances ?? []).map(({ profile }) => profile)]
    const told = { ...gpu, fault, ...(hasOlderNames(names, board, evidence.before) ? { olderNames: true } : {}) }
    return stuck.has(device.id) || (isSilent && stuckBefore.has(device.id)) ? { ...told, stuck: true } : told
  })
  const { gpuCount: _, reportedProfiles: __, devices: ___, shares: ____, knownAs: _____, ...known } = node
  const cut = gpus.filter(({ migEnabled }) => migEnabled).length
  const facts = { evidence, expected: node.gpuCount, devices, homeless, unclear, model, cut, whole: gpus.length - cut }
  const problems = contradictionsOf(facts)
  const dra = node.devices.length > 0 ? { servedByDra: true } : {}
  return { ...known, ...dra, model, gpus, problems: [...node.problems, ...problems] }
}

/** As what is offered and cut there is named; a node that has no instances for a while keeps its driver. */
function hasOlderNames(told: readonly string[], board: Board | undefined, before: GpuNode | undefined): boolean {
  if (board === undefined) return false
  if (told.length === 0) return before?.gpus.some(({ olderNames }) => olderNames) ?? false
  return told.some((name) => board.aliases[name] !== undefined)
}

/** Claims that do not tolerate it do not get a device with a taint, or any on its GPU; without the taint it is as before. */
function taintOn(gpu: string, { name, devices }: InventoryNode): Gpu['fault'] {
  const found = devices.find(({ uuid, parent, taint }) => taint !== undefined && (uuid === gpu || parent === gpu))
  if (found === undefined) return undefined
  const message = `GPU ${gpu} on ${name} has the device taint ${found.taint}: only claims that tolerate it get it. Its driver or an administrator set that; look there for why, and remove it once the GPU is sound.`
  return { code: TAINTED, message, object: `gpu/${gpu}` }
}

const TAINTED = 'device-tainted'
const isTaint = (fault: Gpu['fault']): boolean => fault?.code === TAINTED

/** As labelled; where no label says it, as many as are offered of each GPU beyond itself are its replicas. */
function sharingOf({ sharing, allocatable, mig }: InventoryNode, boards: number): Sharing {
  const replicas = OFFERED_WHOLE.reduce((sum, resource) => sum + (allocatable[resource] ?? 0), 0) / boards
  return sharing.kind === 'none' && mig.strategy === 'none' && replicas > 1 && Number.isInteger(replicas)
    ? { kind: 'time-slicing', replicas }
    : sharing
}

/** Resources that stand for a GPU, or for a share of one where it is offered several times. */
const OFFERED_WHOLE = [WHOLE_GPU_RESOURCE, 'nvidia.com/gpu.shared', 'gpu.intel.com/i915', 'gpu.intel.com/xe']

/** GPUs whose holder is named: by the exporter, a claim or the annotation of a scheduler. */
const heldWhole = ({ seen, node: { devices, shares = [] } }: NodeEvidence): ReadonlySet<string> =>
  new Set([
    ...seen.flatMap(({ gpu, holder, instance }) => (holder === undefined || instance !== undefined ? [] : gpu)),
    ...devices.flatMap(({ kind, uuid, reservedFor }) => (kind === 'gpu' && reservedFor.length > 0 ? (uuid ?? []) : [])),
    ...shares.map(({ gpu }) => gpu),
  ])

const boardOfModel = (model: string | undefined): Board | undefined =>
  model === undefined ? undefined : boardFor(model)

function gpuOf(device: Device, node: InventoryNode, mig: readonly Partition[] | undefined): Gpu {
  const { id, index, identified, model } = device
  return {
    id,
    node: node.name,
    index,
    model: model ?? findModel(node.product)?.name,
    identified,
    migEnabled: mig !== undefined,
    partitions: mig ?? wholeOrShared(device, node),
    fault: faultOf(device.xid, id, node.name),
  }
}

function wholeOrShared(device: Device, node: InventoryNode): readonly Partition[] {
  const { id: gpu } = device
  const { sharing } = node
  if (sharing.kind === 'fractions' || sharesOfGpu(device, node).length > 0) return sharedPartitions(device, node)
  if (sharing.kind === 'none' || sharing.replicas < 2) return [{ kind: 'whole', id: gpu, gpu }]
  const { replicas } = sharing
  return Array.from({ length: replicas }, (_, replica) => ({
    kind: 'shared',
    id: `${gpu}/replica-${replica}`,
    gpu,
    replica,
    replicas,
  }))
}

function migPartitions(
  { id: gpu }: Device,
  instances: readonly Instance[],
  board: Board | undefined,
): readonly Partition[] {
  const { source, placements } = placementsOf(instances, board)
  return instances.map(({ id, profile }, order) => {
    const placement = placements[order]
    return {
      kind: 'mig',
      id: migPartitionId(gpu, id),
      gpu,
      profile,
      instance: id,
      placement,
      placementSource: placement === undefined ? 'unknown' : source,
    }
  })
}

type Placed = {
  readonly source: 'reported' | 'inferred'
  /** In the order of the instances; empty when unknown. */
  readonly placements: readonly Placement[]
}

function placementsOf(instances: readonly Instance[], board: Board | undefined): Placed {
  if (board === undefined) return { source: 'inferred', placements: [] }
  const reported = instances.flatMap(({ profile, start }) => {
    const size = profileOf(board, profile)?.size
    return start === undefined || size === undefined ? [] : { profile, placement: { start, size } }
  })
  if (reported.length === instances.length && isFeasible(board, reported).kind === 'feasible') {
    return { source: 'reported', placements: reported.map(({ placement }) => placement) }
  }
  const profiles = instances.map(({ profile }) => profile)
  const inferred = inferPlacements(board, profiles)
  return { source: 'inferred', placements: inferred?.map(({ placement }) => placement) ?? [] }
}

type NodeFacts = {
  readonly evidence: NodeEvidence
  /** GPUs that the API's labels and counts speak of. */
  readonly expected: number
  readonly devices: readonly Device[]
  /** Profiles of MIG devices that fit on no GPU. */
  readonly homeless: readonly string[]
  /** Whether it is guessed which GPUs are in MIG mode. */
  readonly unclear: boolean
  readonly model: string | undefined
  /** GPUs that are not in MIG mode, and those that are. */
  readonly whole: number
  readonly cut: number
}

/** Where the sources of a node contradict each other, or name a board we do not know; each in one sentence to act on. */
function contradictionsOf(facts: NodeFacts): readonly Problem[] {
  return [
    unknownBoard(facts),
    uncounted(facts),
    wrongCount(facts),
    wrongModel(facts),
    homelessInstances(facts),
    unclearMode(facts),
    forVirtualMachines(facts),
    staleCapacity(facts),
  ].filter((problem) => problem !== undefined)
}

function unknownBoard({ evidence: { node, seen }, devices, model }: NodeFacts): Problem | undefined {
  const product = node.product === '' ? seen[0]?.model : node.product
  if (model !== undefined || devices.length === 0) return undefined
  const name = product === undefined || product === '' ? 'a GPU without a product label' : `the GPU "${product}"`
  const isNvidia = Object.keys(node.allocatable).every((resource) => resource.startsWith('nvidia.com/'))
  return problem('unknown-board', node.name, [
    `${node.name} has ${name}, which the catalog does not know.`,
    `Its GPU-hours and utilization are counted, each GPU as a whole; ${isNvidia ? 'MIG geometry is' : 'how it can be partitioned is'} not.`,
    'Set a price for this model in Settings → Prices to see its cost.',
  ])
}

function forVirtualMachines({ evidence: { node }, devices }: NodeFacts): Problem | undefined {
  const resources = Object.keys(node.allocatable).filter(isForVms).toSorted()
  if (devices.length === 0 || !isVmNode(node)) return undefined
  return problem('devices-for-virtual-machines', node.name, [
    `${node.name} gives its GPUs to virtual machines${resources.length === 0 ? '' : ` (${resources.join(', ')})`}.`,
    'They are counted, held by the pods that run those machines, and priced. How busy they are is not measured, since no',
    'exporter of this cluster sees them, and nothing is planned there. To measure them, run dcgm-exporter in the machines.',
  ])
}

/** What a kubelet offers from before its GPUs were cut is nothing that a pod can use. */
function staleCapacity({ evidence: { node }, whole, cut }: NodeFacts): Problem | undefined {
  const { mig, sharing } = node
  const offered = offeredWhole(node)
  if (cut === 0 || mig.strategy === 'single' || sharing.kind === 'fractions' || offered <= whole) return undefined
  return problem('stale-capacity', node.name, [
    `The kubelet of ${node.name} offers ${plural(offered, 'whole GPU')}, but ${whole === 0 ? 'all' : cut} of its GPUs ${agree(cut, 'is', 'are')} in MIG mode:`,
    'a pod that asks for nvidia.com/gpu would be bound there and then fail. No room is counted for it; MIG devices are.',
    `Restart the device plugin on ${node.name}, and its kubelet if the count stays.`,
  ])
}

function uncounted({ evidence: { node }, devices }: NodeFacts): Problem | undefined {
  const shared = node.allocatable['nvidia.com/gpu.shared'] ?? 0
  if (devices.length > 0 || shared === 0) return undefined
  return problem('gpus-uncounted', node.name, [
    `${node.name} offers ${plural(shared, 'share')} of GPUs (nvidia.com/gpu.shared), and nothing says of how many GPUs.`,
    'They are not counted. Run GPU feature discovery or dcgm-exporter on the node.',
  ])
}

function wrongCount({ evidence: { node, seen }, expected }: NodeFacts): Problem | undefined {
  const visible = new Set(seen.map(({ gpu }) => gpu)).size
  if (visible === 0 || expected === 0 || visible === expected) return undefined
  const kept =
    visible < expected
      ? `The ${expected - visible} without telemetry ${agree(expected - visible, 'stays in the count, its', 'stay in the count, their')} utilization is unknown. Look for them with nvidia-smi on the node.`
      : 'Septet goes by the devices. Restart gpu-feature-discovery on the node so that its labels are rewritten.'
  return problem('label-contradicts-devices', node.name, [
    `The labels of ${node.name} say ${plural(expected, 'GPU')}, its exporter sees ${visible}.`,
    kept,
  ])
}

function wrongModel({ evidence: { node, seen } }: NodeFacts): Problem | undefined {
  const labelled = findModel(node.product)?.name
  const other = seen.find((sighting) => (findModel(sighting.model)?.name ?? labelled) !== labelled)
  if (labelled === undefined || other === undefined) return undefined
  return problem('label-contradicts-devices', node.name, [
    `The label of ${node.name} says ${labelled}, its exporter says ${other.model} for GPU ${other.index}.`,
    new Set(seen.map((each) => each.model)).size > 1
      ? 'Septet goes by the devices. GPU feature discovery labels one product of a node, so with boards of several kinds it stays so, and pods that select by this label may get another: give each kind nodes of its own, or let pods claim devices by DRA.'
      : 'Septet goes by the device. Restart gpu-feature-discovery on the node so that its labels are rewritten.',
  ])
}

function homelessInstances({ evidence: { node }, homeless }: NodeFacts): Problem | undefined {
  if (homeless.length === 0) return undefined
  return problem('label-contradicts-devices', node.name, [
    `The kubelet of ${node.name} offers ${homeless.length} MIG devices (${[...new Set(homeless)].join(', ')})`,
    'for which its GPUs have no room. They are left out; the rest of the node is counted.',
    'Restart the device plugin on the node if it was just repartitioned.',
  ])
}

function unclearMode({ evidence: { node }, unclear }: NodeFacts): Problem | undefined {
  if (!unclear) return undefined
  return problem('mig-mode-unclear', node.name, [
    `Which GPUs of ${node.name} are in MIG mode is not evident: its kubelet offers fewer whole GPUs than are not`,
    'partitioned, and neither partitions nor use tell which are meant. They are counted; nothing is planned on the node.',
    `Look with nvidia-smi on ${node.name} for the GPUs in MIG mode, and partition them or turn the mode off.`,
  ])
}

const problem = (code: string, node: string, sentences: readonly string[]): Problem => ({
  code,
  message: sentences.join(' '),
  object: `node/${node}`,
})
