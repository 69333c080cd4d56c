import { compareText, type Problem, type SampleField } from '@septet/domain'

import type { DeviceLabels } from './device-labels.ts'

/** A device with the exporter that was first to report it, and for each doubtful field the one that contradicts. */
export type ReportedDevice = {
  readonly source: string
  readonly labels: DeviceLabels
  /** Undefined: nobody contradicts. */
  readonly conflicts: ReadonlyMap<SampleField, string> | undefined
}

/** One sentence for all devices that two exporters report with different values; none when there is no such device. */
export function duplicateProblem(devices: readonly ReportedDevice[]): Problem[] {
  const doubled = devices.filter((device) => device.conflicts !== undefined).toSorted(byKey)
  const [first] = doubled
  if (first?.conflicts === undefined) return []
  const [other = ''] = first.conflicts.values()
  const more = doubled.length === 1 ? '' : `, and ${doubled.length - 1} more devices likewise`
  const who = other === first.source ? `${other} reports` : `${first.source} and ${other} both report`
  return [
    {
      code: 'duplicated-series',
      message:
        `${who} ${first.labels.gpu} on node ${first.labels.node} with different values of ` +
        `${[...first.conflicts.keys()].join(', ')}${more}. These values are not used; all others are. ` +
        'Keep one exporter per node, usually the GPU Operator’s.',
      object: `node/${first.labels.node}`,
    },
  ]
}

const byKey = (a: ReportedDevice, b: ReportedDevice): number =>
  compareText(a.labels.node, b.labels.node) || compareText(a.labels.key, b.labels.key)
