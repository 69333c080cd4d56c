import { dollars, grouped, percent, short } from '@septet/domain/words'

import type { Report } from '../../operations/report/report.ts'

/** How far the figures can be trusted, in a few sentences. */
export function trustWords({ quality, summary: { cost, capacity, notes } }: Report): string {
  const { devices, measuredDevices } = quality
  return [
    devices === 0
      ? 'No GPU reports measurements, so use and idle time are not measured.'
      : `${grouped(measuredDevices)} of ${grouped(devices)} GPUs and GPU instances (${percent(measuredDevices / devices)}) report measurements that can be trusted.`,
    ...capacity.sentences.filter((sentence) => /^\d+ of \d+ nodes?/u.test(sentence)),
    ...notes,
    ...unmeasured(cost),
    ...(cost.unpricedGpuHours > 0 ? [`${short(cost.unpricedGpuHours)} GPU-h have no price and are in no amount.`] : []),
  ].join(' ')
}

/** What nobody measured is never waste, so the waste told here may be less than there is. */
function unmeasured({ hours, unmeasured: cost }: Report['summary']['cost']): readonly string[] {
  if (hours === null || hours.unmeasured <= 0) return []
  const amount = cost.value === null ? `${short(hours.unmeasured)} GPU-h` : dollars(cost.value)
  return [`${amount} went to work that was not measured: it counts as used, so real waste may be higher.`]
}
