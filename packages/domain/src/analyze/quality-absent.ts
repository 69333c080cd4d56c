import type { Instant } from '../units.ts'
import { countInstances, type ExpectedNode, type InstanceCounts, resourceProfile } from './quality-expected.ts'
import { type DeviceMemory, deviceKey, type QualityMemory } from './quality-memory.ts'
import type { JudgedSample, QualityReason, TelemetryReading } from './sample.ts'

/** How long a device that nothing is heard of is missed: while the inventory expects it, and without an inventory. */
const MISSED_WHILE_EXPECTED = 24 * 3600 * 1000
const MISSED_WITHOUT_INVENTORY = 15 * 60 * 1000

type Input = {
  readonly reading: TelemetryReading
  readonly present: readonly JudgedSample[]
  readonly memory: QualityMemory
  readonly expected: ReadonlyMap<string, ExpectedNode> | undefined
  readonly now: Instant
}

/** Devices that were exported before and should still be there: a sample each, with the reason and without any value. */
export function absentDevices(input: Input): JudgedSample[] {
  const present = new Set(input.present.map(deviceKey))
  const around = surroundings(input, present)
  const absent: JudgedSample[] = []
  for (const [key, known] of input.memory.devices) {
    if (present.has(key) || !isMissed(known, input, around)) continue
    const reason = whyAbsent(known, around)
    absent.push({ ...known.device, at: input.now, quality: { kind: 'missing', reason } })
  }
  return absent
}

type Surroundings = {
  readonly nodesWithSamples: ReadonlySet<string>
  readonly gpusWithSamples: ReadonlySet<string>
  /** GPUs that show a device which was not there before: they were cut again or joined. */
  readonly changedGpus: ReadonlySet<string>
  readonly lostNodes: ReadonlySet<string>
  readonly instances: InstanceCounts
}

function surroundings({ reading, present, memory }: Input, keys: ReadonlySet<string>): Surroundings {
  const up = new Set(reading.targets.filter(({ kind }) => kind === 'up').map(({ node }) => node))
  const others = reading.targets.filter(({ kind, node }) => kind !== 'up' && !up.has(node))
  return {
    instances: countInstances(present),
    nodesWithSamples: new Set(present.map(({ node }) => node)),
    gpusWithSamples: new Set(present.map(({ gpu }) => gpu)),
    changedGpus: new Set(
      present.filter((one) => keys.has(deviceKey(one)) && !memory.devices.has(deviceKey(one))).map(({ gpu }) => gpu),
    ),
    lostNodes: new Set(others.map(({ node }) => node).filter((node) => node !== undefined)),
  }
}

function isMissed({ device, lastSeen }: DeviceMemory, { expected, now }: Input, around: Surroundings): boolean {
  // Replicas come and go with their pods; a GPU that was cut again has other instances now.
  if (device.vgpu !== undefined || around.changedGpus.has(device.gpu)) return false
  if (expected === undefined) return now - lastSeen <= MISSED_WITHOUT_INVENTORY
  const node = expected.get(device.node)
  if (node === undefined || now - lastSeen > MISSED_WHILE_EXPECTED) return false
  if (device.instance === undefined) return !(node.cut && around.gpusWithSamples.has(device.gpu))
  const profile = resourceProfile(device.instance.profile)
  return around.instances.of(device.node, profile) < (node.instances.get(profile) ?? 0)
}

function whyAbsent({ device }: DeviceMemory, { lostNodes, nodesWithSamples }: Surroundings): QualityReason {
  if (lostNodes.has(device.node) && !nodesWithSamples.has(device.node)) return 'stale-target'
  return device.instance !== undefined && nodesWithSamples.has(device.node) ? 'missing-instance' : 'no-telemetry'
}
