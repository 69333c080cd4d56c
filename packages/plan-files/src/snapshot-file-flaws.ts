import type { ClusterSnapshot } from '@septet/domain'

/** What contradicts itself in a snapshot that came from outside: names twice, and names of what is not there. */
export function snapshotFlaws({ nodes, pods, workloads, allocations }: ClusterSnapshot): readonly string[] {
  const gpus = nodes.flatMap((node) => node.gpus)
  const partitions = gpus.flatMap((gpu) => gpu.partitions)
  const names = {
    node: nodes.map(({ name }) => name),
    GPU: gpus.map(({ id }) => id),
    partition: partitions.map(({ id }) => id),
    pod: pods.map(({ id }) => id),
    workload: workloads.map(({ id }) => id),
  }
  const known = {
    nodes: new Set(names.node),
    pods: new Set(names.pod),
    workloads: new Set(names.workload),
    partitions: new Set(names.partition),
  }
  return [
    ...namedTwice(names),
    ...nodes.flatMap(({ name, gpus: own }) =>
      own.filter((gpu) => gpu.node !== name).map((gpu) => `GPU ${gpu.id} stands under ${name} and names ${gpu.node}.`),
    ),
    ...gpus.flatMap(({ id, partitions: own }) =>
      own.filter(({ gpu }) => gpu !== id).map((one) => `Partition ${one.id} stands under ${id} and names ${one.gpu}.`),
    ),
    ...pods
      .filter(({ node }) => node !== undefined && !known.nodes.has(node))
      .map(({ id, node }) => `Pod ${id} runs on ${node}, which is not among the nodes.`),
    ...pods
      .filter(({ workload }) => !known.workloads.has(workload))
      .map(({ id, workload }) => `Pod ${id} belongs to ${workload}, which is not among the workloads.`),
    ...allocations
      .filter(({ partition }) => !known.partitions.has(partition))
      .map(({ pod, partition }) => `${pod} holds ${partition}, which no GPU has.`),
    ...allocations
      .filter(({ pod }) => !known.pods.has(pod))
      .map(({ pod, partition }) => `${partition} is held by ${pod}, which is not among the pods.`),
  ]
}

/** A sentence for each name that stands twice among those of its kind. */
export function namedTwice(names: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.entries(names).flatMap(([kind, all]) => {
    const seen = new Set<string>()
    return all.flatMap((name) => {
      if (seen.has(name)) return [`The ${kind} ${name} is there twice.`]
      seen.add(name)
      return []
    })
  })
}
