import type { Report } from '../../operations/report/report.ts'
import { reportPdf } from '../../report/pdf/report-pdf.ts'
import { answerInThread } from './run-in-thread.ts'

await answerInThread(async (report: Report) => new Uint8Array(await reportPdf(report)))
