import { htmlEscape } from '@septet/contract'
import { reportPeriod } from '@septet/contract/report-period'
import type { ReportSchedule } from '../operations/report/report-schedules.ts'
import type { Report } from '../operations/report/report.ts'
import { spendSentence } from './pdf/spend.ts'
import { say } from './pdf/words.ts'

/** What stands in the letter that a report comes with. */
export type ReportLetter = { readonly subject: string; readonly text: string; readonly html: string }

/** The first page in a few lines, where to see more, and who to ask to stop. */
export function reportLetter(
  report: Report,
  schedule: Pick<ReportSchedule, 'id' | 'range' | 'cluster'>,
  site: string,
): ReportLetter {
  const { source, summary, did, recommendations } = report
  const query = new URLSearchParams({ cluster: source.id, range: schedule.range })
  const address = `${site}/dashboard?${String(query)}`
  const { savings } = summary
  const first = recommendations.recommendations[0]?.title
  const subject = `GPU report: ${source.name}, ${reportPeriod(report)}`
  const lines = [
    `${subject}.`,
    '',
    ...(source.kind === 'sample' ? ['Sample data: fixed figures, not a cluster.'] : [spendSentence(report)]),
    ...(first === undefined ? [] : [`Do first: ${first}.`]),
    '',
    `Can come off the bill: ${savings.bill.value === null ? 'no estimate yet' : `${say(savings.bill)}, estimated`}`,
    `Saved, verified: ${savings.verified.value === null ? 'none yet' : say(savings.verified)}`,
    `GPU utilization: ${say(summary.utilization.busy)}`,
    `Workloads: ${summary.workloads.running} running, ${summary.workloads.queued} queued`,
    `Status: ${summary.status.headline}`,
    ...(did === null ? [] : [`What Septet did: ${did.says}`]),
    '',
    `See it live: ${address}`,
    '',
    `The schedule "${schedule.id}" sent this. An admin can change or stop it under Settings, Scheduled reports.`,
  ]
  return {
    subject: subject.replaceAll(/[\r\n]+/gu, ' '),
    text: lines.join('\n'),
    html: lines.map((line) => `<p>${htmlEscape(line)}</p>`).join('\n'),
  }
}
