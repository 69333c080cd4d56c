import { compareText, type GpuContainer, type GpuRequest, isGpuResource, readCount } from '@septet/domain'
import { podResources, type ResourceAmounts } from './pod-resources.ts'
import type { Container, PodDemand } from './schemas.ts'

/** GPU resources that a pod asks for, by resource name in order; `isOne` tells which are. */
export const gpuRequests = (demand: PodDemand, isOne = isGpuResource): readonly GpuRequest[] =>
  toRequests(podResources(demand, (container) => gpusOf(container, isOne)))

/** The containers that ask for GPUs, with all that they ask for. */
export const gpuContainers = ({ containers, initContainers }: PodDemand): readonly GpuContainer[] => [
  ...containers.flatMap((container, index) => gpuContainer(container, { list: 'containers', index })),
  ...initContainers.flatMap((container, index) => gpuContainer(container, { list: 'initContainers', index })),
]

function gpuContainer(container: Container, place: Pick<GpuContainer, 'list' | 'index'>): readonly GpuContainer[] {
  const gpus = toRequests(gpusOf(container))
  if (gpus.length === 0) return []
  const { limits = {}, requests = {} } = container.resources ?? {}
  const isSidecar = place.list === 'initContainers' && container.restartPolicy === 'Always'
  return [{ ...place, name: container.name ?? '', isSidecar, requests: asText(requests), limits: asText(limits), gpus }]
}

const asText = (quantities: Readonly<Record<string, string | number>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(quantities).map(([name, quantity]) => [name, String(quantity)]))

/** The same request `times` over, for a template that makes several pods. */
export const timesOver = (requests: readonly GpuRequest[], times: number): readonly GpuRequest[] =>
  requests.map((request) => ({ ...request, count: request.count * times }))

/** Sums by resource, in order of the resource's name. */
export function sumRequests(requests: Iterable<GpuRequest>): readonly GpuRequest[] {
  const sums = new Map<string, number>()
  for (const { resource, count } of requests) sums.set(resource, (sums.get(resource) ?? 0) + count)
  return toRequests(sums)
}

function gpusOf(container: Container, isOne = isGpuResource): ResourceAmounts {
  const { limits = {}, requests = {} } = container.resources ?? {}
  const counts: ResourceAmounts = new Map()
  // Requests equal limits for extended resources, and either may stand alone in a template.
  for (const [name, quantity] of Object.entries({ ...limits, ...requests })) {
    const count = isOne(name) ? (readCount(quantity) ?? 0) : 0
    if (count > 0) counts.set(name, count)
  }
  return counts
}

const toRequests = (counts: ResourceAmounts): readonly GpuRequest[] =>
  [...counts].map(([resource, count]) => ({ resource, count })).toSorted((a, b) => compareText(a.resource, b.resource))
