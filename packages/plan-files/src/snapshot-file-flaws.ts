import type { ClusterSnapshot } from '@septet/domain'

/** What contradicts itself in a snapshot that came from outside: names twice, and names of what is not there. */
export function snapshotFlaws({ nodes, pods, workloads, allocations }: ClusterSnapshot): readonly string[] {
  const gpus = nodes.flatMap((node) => node.gpus)
  const partitions = gpus.flatMap((gpu) => gpu.partitions)
  const known = {
    nodes: new Set(nodes.map(({ name }) => name)),
    pods: new Set(pods.map(({ id }) => id)),
    workloads: new Set(workloads.map(({ id }) => id)),
    partitions: new Set(partitions.map(({ id }) => id)),
  }
  return [
    ...twice(
      'node',
      nodes.map(({ name }) => name),
    ),
    ...twice(
      'GPU',
      gpus.map(({ id }) => id),
    ),
    ...twice(
      'partition',
      partitions.map(({ id }) => id),
    ),
    ...twice(
      'pod',
      pods.map(({ id }) => id),
    ),
    ...twice(
      'workload',
      workloads.map(({ id }) => id),
    ),
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

function twice(kind: string, names: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return names.flatMap((name) => {
    if (seen.has(name)) return [`The ${kind} ${name} is there twice.`]
    seen.add(name)
    return []
  })
}
