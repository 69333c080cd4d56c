import { htmlEscape } from '@septet/contract'
import type { ReportSchedule } from '../operations/report/report-schedules.ts'
import type { Report } from '../operations/report/report.ts'
import { say, windowWords } from './pdf/words.ts'

/** What stands in the letter that a report comes with. */
export type ReportLetter = { readonly subject: string; readonly text: string; readonly html: string }

/** A few figures, where to see more, and who to ask to stop. */
export function reportLetter(
  report: Report,
  schedule: Pick<ReportSchedule, 'id' | 'range' | 'cluster'>,
  site: string,
): ReportLetter {
  const { source, window, summary, did } = report
  const query = new URLSearchParams({ cluster: source.id, range: schedule.range })
  const address = `${site}/dashboard?${String(query)}`
  const lines = [
    `GPU report of ${source.name}, ${windowWords(window)}.`,
    '',
    `GPU utilization: ${say(summary.utilization.busy)}`,
    `Cost of the capacity: ${say(summary.cost.capacity)}`,
    `Idle-held: ${say(summary.cost.idleHeld)}`,
    `Workloads: ${summary.workloads.running} running, ${summary.workloads.queued} queued`,
    `Status: ${summary.status.headline}`,
    ...(did === null ? [] : [`What Septet did: ${did.says}`]),
    '',
    `The same on screen: ${address}`,
    '',
    `Sent by the schedule "${schedule.id}". An admin of this Septet can change or stop it under Settings, Mailed reports.`,
  ]
  return {
    subject: `GPU report of ${source.name}`.replaceAll(/[\r\n]+/gu, ' '),
    text: lines.join('\n'),
    html: lines.map((line) => `<p>${htmlEscape(line)}</p>`).join('\n'),
  }
}
