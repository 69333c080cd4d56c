import {
  hostName,
  isExporterPod,
  type KnownNodes,
  type Located,
  nodeOfDevice,
  siblingsNode,
} from '../cluster/node-of-device.ts'
import { once } from '../once-for.ts'
import { type Expected, spelledOn } from './quality-expected.ts'
import type { QualityMemory } from './quality-memory.ts'
import type { DeviceSample, TargetState, TelemetryReading } from './sample.ts'

/**
 * Names nodes and MIG profiles as Kubernetes does: exporters say the host in many ways or not at all, and round the gigabytes
 * of a profile another way than the driver of the node does. Where no node is found the host keeps the best name it has.
 */
export function withKubernetesNames(
  reading: TelemetryReading,
  { nodes, known }: Expected,
  memory: QualityMemory,
): TelemetryReading {
  const expected = new Map(nodes.map((node) => [node.node, node]))
  const lastNode = once(() => new Map([...memory.devices.values()].map(({ device: { gpu, node } }) => [gpu, node])))
  const nodeOf = finder(reading.samples, known, (gpu) => lastNode().get(gpu) ?? '')
  const named = (sample: DeviceSample): DeviceSample => {
    const { holder, node } = sample
    // Where its node was removed, nothing else may lead to it.
    const found = nodeOf(sample) ?? (lastNode().get(sample.gpu) || hostName(sample))
    const there = found === node ? sample : { ...sample, node: found }
    if (holder === undefined || !isExporterPod(holder, known)) return there
    const { holder: _, ...free } = there
    return free
  }
  const spelled = (sample: DeviceSample): DeviceSample => {
    const { instance, node } = sample
    const profile = instance && spelledOn(expected.get(node), instance.profile)
    return instance === undefined || profile === undefined ? sample : { ...sample, instance: { ...instance, profile } }
  }
  return {
    ...reading,
    samples: reading.samples.map((sample) => spelled(named(sample))),
    targets: targetsNamed(reading, (device) => nodeOf(device)),
  }
}

type NodeOf = (device: Located) => string | undefined

/** By what a device says itself, by what others of its exporter do, and by where it was before. */
function finder(samples: readonly DeviceSample[], known: KnownNodes, lastNode: (gpu: string) => string): NodeOf {
  const own = (device: Located): string | undefined => nodeOfDevice(device, known)
  const ofSiblings = once(() => siblingsNode(samples, own))
  return (device) => own(device) ?? ofSiblings()(device) ?? known.named(lastNode(device.gpu))
}

/** An exporter is where its name or its address is, else where its devices are. */
function targetsNamed({ samples, targets }: TelemetryReading, nodeOf: NodeOf): readonly TargetState[] {
  const told = once(() => Map.groupBy(samples, ({ hosts = [] }) => hosts.at(-1)))
  return targets.map((target) => {
    const at = { node: target.node ?? '', gpu: '', index: 0, hosts: [target.target] }
    const node = nodeOf(at) ?? nodeOf(told().get(target.target)?.[0] ?? at) ?? target.node
    return node === target.node ? target : { ...target, node }
  })
}
