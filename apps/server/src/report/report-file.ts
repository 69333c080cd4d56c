import type { ReportFile } from '@septet/contract'
import { reportFileName } from '@septet/contract/report-period'

import type { Report } from '../operations/report/report.ts'
import { CSV_FILES } from './report-csv.ts'

/** A report, or a table of it, as a file to keep. */
export type MadeFile = { readonly name: string; readonly type: string; readonly content: Buffer | string }

/** Draws a report as a PDF, where no answer waits for it. */
export type DrawPdf = (report: Report) => Promise<Buffer>

/** Whether a file is made of the lines of the ledger, which a report has only when they are asked for. */
export const needsLines = (file: ReportFile): boolean => file.startsWith('focus')

/** Makes one file of a report. Its name says of which cluster and of which time it is. */
export async function reportFile(file: ReportFile, report: Report, drawPdf: DrawPdf): Promise<MadeFile> {
  const name = reportFileName(file, report)
  if (file === 'pdf') return { name, type: 'application/pdf', content: await drawPdf(report) }
  if (file === 'json') {
    return { name, type: 'application/json', content: `${JSON.stringify(report, undefined, 2)}\n` }
  }
  return { name, type: 'text/csv; charset=utf-8', content: CSV_FILES[file](report) }
}
