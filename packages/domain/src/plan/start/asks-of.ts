import type { GpuRequest } from '../../cluster/workload.ts'
import { compareText } from '../../units.ts'
import type { AskedJob, AskedPods } from './asked-job.ts'
import { isHeldBack } from './job-limits.ts'
import type { Judged } from './judge-job.ts'

/** What a job would be known to wait for: waits are kept pod by pod, and where a queue admits it as a whole, job by job. */
export function asksOf({ queue, groups }: AskedJob, { lacking, limits }: Judged): string {
  const [first] = lacking.map(({ pods }) => pods)
  return textOf(
    queue !== undefined && isHeldBack(limits) ? sumOf(groups) : requestsOf(first ?? groups.find(asksForGpus)),
  )
}

const asksForGpus = (pods: AskedPods): boolean => requestsOf(pods).length > 0
const requestsOf = (pods: AskedPods | undefined): readonly GpuRequest[] =>
  pods === undefined ? [] : [...pods.requests, ...pods.claims]

function sumOf(groups: readonly AskedPods[]): readonly GpuRequest[] {
  const sums = new Map<string, number>()
  for (const pods of groups)
    for (const { resource, count } of requestsOf(pods))
      sums.set(resource, (sums.get(resource) ?? 0) + count * pods.count)
  return [...sums].map(([resource, count]) => ({ resource, count }))
}

const textOf = (requests: readonly GpuRequest[]): string =>
  requests
    .toSorted((a, b) => compareText(a.resource, b.resource))
    .map(({ resource, count }) => `${count} × ${resource}`)
    .join(', ')
