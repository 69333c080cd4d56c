import { dollars, percent, plural, short, wholePercent } from '@septet/domain/words'

import type { Answer } from '../../api.ts'
import { costParts } from './cost-parts.ts'

type Summary = Answer<'summaryGet'>

/** How a fleet is doing, as the parts of one sentence. */
export type FleetLineWords = {
  /** "204 GPUs, 36% busy" */
  readonly fleet: string
  /** "$12.2K of $143K unused"; undefined where there is no capacity to divide. */
  readonly unused: string | undefined
  /** "25 workloads waiting"; undefined where none waits. */
  readonly waiting: string | undefined
}

/** The figures of the summary in one line. What is not measured says so and is never 0. */
export const fleetLine = (summary: Summary): FleetLineWords => ({
  fleet: [gpusOf(summary), busyOf(summary)].filter((words) => words !== undefined).join(', '),
  unused: unusedOf(summary),
  waiting: summary.workloads.queued === 0 ? undefined : `${plural(summary.workloads.queued, 'workload')} waiting`,
})

/** Sample data has fixed shares and no fleet that they are of. */
function gpusOf({ capacity, cost, source }: Summary): string | undefined {
  if (source.kind === 'sample') return undefined
  const gpus = plural(capacity.gpus, 'GPU')
  return cost.hours?.unallocated === null ? `Your namespaces hold ${gpus}` : gpus
}

function busyOf({ utilization: { busy } }: Summary): string {
  if (busy.value === null) return 'utilization not measured'
  return `${busy.quality === 'sample' ? percent(busy.value) : wholePercent(busy.value)} busy`
}

/** Everything but what was used. Unmeasured time counts as used, so with any of it the amount is a floor. */
function unusedOf({ cost }: Summary): string | undefined {
  const { hours, capacity } = cost
  if (hours === null || hours.capacity === 0) return undefined
  const wasted = costParts(cost, hours).filter(({ key }) => key !== 'used' && key !== 'unmeasured')
  const floor = hours.unmeasured > 0 ? 'at least ' : ''
  if (capacity.value === null) {
    const gpuHours = wasted.reduce((sum, part) => sum + part.gpuHours, 0)
    return `${floor}${short(gpuHours)} of ${short(hours.capacity)} GPU-h unused`
  }
  const spent = wasted.reduce((sum, part) => sum + (part.cost.value ?? 0), 0)
  return `${floor}${dollars(spent)} of ${dollars(capacity.value)} unused`
}
