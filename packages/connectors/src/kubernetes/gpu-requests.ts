import type { GpuRequest } from '@septet/domain'
import { compareText } from '@septet/domain'
import { isGpuResource, readCount } from './gpu-resource.ts'
import type { Container, PodDemand } from './schemas.ts'

/**
 * GPU resources that a pod asks for, by resource name in order. Containers add up, and so do init containers that
 * stay (restartPolicy Always); other init containers run one at a time before them, so only the largest counts.
 * Source: Kubernetes documentation, "Init containers" and "Sidecar containers", resource sharing.
 */
export function gpuRequests(demand: PodDemand): readonly GpuRequest[] {
  const lasting = new Map<string, number>()
  const before = new Map<string, number>()
  for (const container of demand.initContainers) {
    const own = container.restartPolicy === 'Always' ? undefined : gpusOf(container)
    if (own === undefined) add(lasting, gpusOf(container))
    else for (const [name, count] of own) raise(before, name, count + (lasting.get(name) ?? 0))
  }
  for (const container of demand.containers) add(lasting, gpusOf(container))
  for (const [name, count] of before) raise(lasting, name, count)
  return toRequests(lasting)
}

/** The same request `times` over, for a template that makes several pods. */
export const timesOver = (requests: readonly GpuRequest[], times: number): readonly GpuRequest[] =>
  requests.map((request) => ({ ...request, count: request.count * times }))

/** Sums by resource, in order of the resource's name. */
export function sumRequests(requests: Iterable<GpuRequest>): readonly GpuRequest[] {
  const sums = new Map<string, number>()
  for (const { resource, count } of requests) sums.set(resource, (sums.get(resource) ?? 0) + count)
  return toRequests(sums)
}

type Counts = Map<string, number>

function gpusOf(container: Container): Counts {
  const { limits = {}, requests = {} } = container.resources ?? {}
  const counts: Counts = new Map()
  // Requests equal limits for extended resources, and either may stand alone in a template.
  for (const [name, quantity] of Object.entries({ ...limits, ...requests })) {
    const count = isGpuResource(name) ? (readCount(quantity) ?? 0) : 0
    if (count > 0) counts.set(name, count)
  }
  return counts
}

function add(sums: Counts, more: Counts): void {
  for (const [name, count] of more) sums.set(name, (sums.get(name) ?? 0) + count)
}

function raise(counts: Counts, name: string, count: number): void {
  counts.set(name, Math.max(count, counts.get(name) ?? 0))
}

const toRequests = (counts: Counts): readonly GpuRequest[] =>
  [...counts].map(([resource, count]) => ({ resource, count })).toSorted((a, b) => compareText(a.resource, b.resource))
