import { parentPort, type MessagePort } from 'node:worker_threads'

import { reportPdf } from '../report/pdf/report-pdf.ts'
import type { FromPdf, ToPdf } from './pdf-thread.ts'

/** Draws the reports that it is told, until it is ended. One that cannot be drawn ends it. */
function run(port: MessagePort): void {
  port.on('message', (report: ToPdf) => {
    draw(report, port).catch((error: unknown) => {
      setImmediate(() => {
        throw error
      })
    })
  })
}

async function draw(report: ToPdf, port: MessagePort): Promise<void> {
  // A copy, which belongs to nothing else: what lies in a pool of Node's cannot be transferred.
  const pdf: FromPdf = new Uint8Array(await reportPdf(report))
  port.postMessage(pdf, [pdf.buffer])
}

if (parentPort !== null) run(parentPort)
