import { findModel } from '../gpu/catalog.ts'
import { compareText } from '../units.ts'
import type { InventoryNode } from './inventory.ts'
import type { Gpu, GpuNode, Identified } from './node.ts'
import type { Sighting } from './sighting.ts'

/** A GPU of a node before it is known how it is cut. */
export type Device = {
  readonly id: string
  readonly index: number
  readonly identified: Identified
  /** Catalog name by its own telemetry or the node's label; undefined for a board we do not know. */
  readonly model: string | undefined
  /** MIG devices that an exporter or a DRA driver shows on it, in the order of their instance ids. */
  readonly instances: readonly Instance[]
  /** 0 where an exporter says that there was none, undefined where nobody says anything. */
  readonly xid: number | undefined
}
export type Instance = {
  readonly id: string
  readonly profile: string
  /** First memory slice, where a DRA driver says so. */
  readonly start: number | undefined
}

export type NodeEvidence = {
  readonly node: InventoryNode
  readonly seen: readonly Sighting[]
  /** The node in the snapshot before: a device that is silent for one reading keeps its identity. */
  readonly before: GpuNode | undefined
}

/**
 * The GPUs of a node by index: those that telemetry sees, else those that a DRA driver publishes, else those of the
 * snapshot before, and up to the count of the labels `node#index`.
 */
export function devicesOf(evidence: NodeEvidence, expected: number): Device[] {
  const model = findModel(evidence.node.product)?.name
  const devices = new Map<string, Device>()
  const add = (device: Device): void => {
    const isNew = !devices.has(device.id) && ![...devices.values()].some(({ index }) => index === device.index)
    if (isNew) devices.set(device.id, device)
  }
  seenDevices(evidence.seen, model).forEach(add)
  publishedDevices(evidence.node, model).forEach(add)
  for (const device of rememberedDevices(evidence.before)) {
    if (devices.size < expected) add(device)
  }
  const taken = new Set([...devices.values()].map(({ index }) => index))
  for (let index = 0; devices.size < expected; index++) {
    if (!taken.has(index)) add(countedDevice(evidence.node.name, index, model))
  }
  return withPublishedInstances([...devices.values()], evidence.node).toSorted(
    (a, b) => a.index - b.index || compareText(a.id, b.id),
  )
}

function seenDevices(seen: readonly Sighting[], labelled: string | undefined): Device[] {
  return [...Map.groupBy(seen, ({ gpu }) => gpu)].flatMap(([id, sightings]) => {
    const first = sightings[0]
    if (first === undefined || id === '') return []
    const model = findModel(first.model)?.name ?? labelled
    const told = sightings.flatMap((sighting) => sighting.xid ?? [])
    const xid = told.find((code) => code > 0) ?? told[0]
    return { id, index: first.index, identified: 'telemetry', model, instances: instancesSeen(sightings), xid }
  })
}

function instancesSeen(sightings: readonly Sighting[]): Instance[] {
  const instances = new Map<string, Instance>()
  for (const { instance } of sightings) {
    if (instance !== undefined) instances.set(instance.id, { ...instance, start: undefined })
  }
  return [...instances.values()].toSorted((a, b) => Number(a.id) - Number(b.id) || compareText(a.id, b.id))
}

function publishedDevices({ devices }: InventoryNode, labelled: string | undefined): Device[] {
  const gpus = devices.filter(({ kind }) => kind === 'gpu').toSorted((a, b) => compareText(a.name, b.name))
  return gpus.flatMap(({ uuid, name, product }, order) => {
    if (uuid === undefined) return []
    const model = (product === undefined ? undefined : findModel(product)?.name) ?? labelled
    const index = Number(/(\d+)$/u.exec(name)?.[1] ?? order)
    return { id: uuid, index, identified: 'resource-slice', model, instances: [], xid: undefined }
  })
}

const rememberedDevices = (before: GpuNode | undefined): Device[] =>
  (before?.gpus ?? []).filter(({ identified }) => identified !== 'label').map(rememberedDevice)

const rememberedDevice = ({ id, index, identified, model, partitions }: Gpu): Device => ({
  id,
  index,
  identified,
  model,
  instances: partitions.flatMap((partition) =>
    partition.kind === 'mig' ? { id: partition.instance, profile: partition.profile, start: undefined } : [],
  ),
  xid: undefined,
})

const countedDevice = (node: string, index: number, model: string | undefined): Device => ({
  id: `${node}#${index}`,
  index,
  identified: 'label',
  model,
  instances: [],
  xid: undefined,
})

/** MIG devices of ResourceSlices, for GPUs whose exporter shows none; and their placements for those it does show. */
function withPublishedInstances(devices: readonly Device[], node: InventoryNode): Device[] {
  // A driver that cuts on demand publishes every possible device with its placement; only reserved ones are real.
  const published = node.devices.filter(
    ({ kind, start, reservedFor }) => kind === 'mig' && (start === undefined || reservedFor.length > 0),
  )
  if (published.length === 0) return [...devices]
  const gpuNames = new Map(node.devices.filter(({ kind }) => kind === 'gpu').map(({ name, uuid }) => [name, uuid]))
  return devices.map((device) => {
    const own = published
      .filter(({ parent = '' }) => parent === device.id || gpuNames.get(parent) === device.id)
      .map(({ name, uuid, profile = '', start }): Instance => ({ id: uuid ?? name, profile, start }))
      .toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0) || compareText(a.id, b.id))
    return { ...device, instances: device.instances.length === 0 ? own : withStarts(device.instances, own) }
  })
}

/** Gives each seen instance the placement of a published one of its profile; which of several equal ones is which is not told. */
function withStarts(seen: readonly Instance[], published: readonly Instance[]): Instance[] {
  const rest = [...published]
  return seen.map((instance) => {
    const match = rest.findIndex(({ profile }) => profile === instance.profile)
    const [found] = match < 0 ? [] : rest.splice(match, 1)
    return { ...instance, start: found?.start }
  })
}
