import type { ReportFile } from '@septet/contract'

import type { Report } from '../operations/report/report.ts'
import { CSV_FILES } from './report-csv.ts'

/** A report, or a table of it, as a file to keep. */
export type MadeFile = { readonly name: string; readonly type: string; readonly content: Buffer | string }

/** Draws a report as a PDF, where no answer waits for it. */
export type DrawPdf = (report: Report) => Promise<Buffer>

/** Makes one file of a report. Its name says what it is of, and of when. */
export async function reportFile(file: ReportFile, report: Report, drawPdf: DrawPdf): Promise<MadeFile> {
  const stem = `septet-${report.source.id}-${file}-${report.madeAt.slice(0, 10)}`
  if (file === 'pdf') return { name: `${stem}.pdf`, type: 'application/pdf', content: await drawPdf(report) }
  if (file === 'json') {
    return { name: `${stem}.json`, type: 'application/json', content: `${JSON.stringify(report, undefined, 2)}\n` }
  }
  return { name: `${stem}.csv`, type: 'text/csv; charset=utf-8', content: CSV_FILES[file](report) }
}
