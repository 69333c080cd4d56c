import { migPartitionId, type Gpu, type GpuNode, type Partition } from './node.ts'
import { profileOf, type Board } from '../gpu/board.ts'
import { findModel } from '../gpu/catalog.ts'
import type { Placement } from '../gpu/geometry.ts'
import { inferPlacements } from '../gpu/infer-placements.ts'
import { boardFor } from '../gpu/known-boards.ts'
import { isFeasible } from '../gpu/layout.ts'
import { type Device, devicesOf, type Instance, type NodeEvidence } from './assemble-devices.ts'
import { cutDevices } from './assemble-instances.ts'
import { faultOf } from './gpu-fault.ts'
import { sharedPartitions, sharesOfGpu } from './gpu-share.ts'
import type { InventoryNode } from './inventory.ts'
import { isInUse, isStuck } from './sighting.ts'
import { contradictionsOf } from './node-contradictions.ts'

/** A node with its GPUs and how each is cut, from what the API, telemetry and the snapshot before say. */
export function assembleNode(evidence: NodeEvidence): GpuNode {
  const { node } = evidence
  const devices = devicesOf(evidence, node.gpuCount)
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
  const faultsBefore = new Map(evidence.before?.gpus.map(({ id, fault }) => [id, fault]))
  const stuck = new Set(evidence.seen.filter(isStuck).map(({ gpu }) => gpu))
  const stuckBefore = new Set(evidence.before?.gpus.filter((gpu) => gpu.stuck).map(({ id }) => id))
  const gpus = devices.map((device) => {
    const migInstances = instances.get(device.id)
    const mig = migInstances === undefined ? undefined : migPartitions(device, migInstances, boardOf(device))
    const gpu = gpuOf(device, node, mig)
    // Silence does not mend a GPU: one that fell off the bus is not exported any more.
    const isSilent = device.xid === undefined
    const told = isSilent ? { ...gpu, fault: faultsBefore.get(device.id) } : gpu
    return stuck.has(device.id) || (isSilent && stuckBefore.has(device.id)) ? { ...told, stuck: true } : told
  })
  const { gpuCount: _, reportedProfiles: __, devices: ___, shares: ____, ...known } = node
  const problems = contradictionsOf({ evidence, expected: node.gpuCount, devices, homeless, unclear, model })
  const dra = node.devices.length > 0 ? { servedByDra: true } : {}
  return { ...known, ...dra, model, gpus, problems: [...node.problems, ...problems] }
}

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
