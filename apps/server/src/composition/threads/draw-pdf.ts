import { Refusal, notReady } from '@septet/contract'
import type { Log } from '@septet/domain'

import type { Report } from '../../operations/report/report.ts'
import type { DrawPdf } from '../../report/report-file.ts'
import { runInThread, type RunningThread } from './run-in-thread.ts'

export type PdfDrawing = {
  /** Draws one after the other. Throws a `Refusal` for people where one cannot be drawn. */
  readonly draw: DrawPdf
  /** Ends what is being drawn at once; it is refused, and so is what waits or comes later. */
  readonly stop: () => void
}

export type PdfOptions = {
  readonly log: Log
  /** How long one may take, milliseconds. */
  readonly limitMs?: number
}

/** Some fifty times what one takes. */
const LIMIT_MS = 60_000

/** Draws each PDF in a thread of its own, so that no answer waits for about a second of the processor. */
export function openPdfDrawing({ log, limitMs = LIMIT_MS }: PdfOptions): PdfDrawing {
  const program = {
    code: new URL('pdf-main.ts', import.meta.url),
    name: 'pdf',
    heapMib: 512,
    limit: { milliseconds: limitMs, words: 'It took too long and was ended.' },
  }
  let drawing: RunningThread<Uint8Array> | undefined
  let last: Promise<unknown> = Promise.resolve()
  let stopped = false
  const drawNext = async (report: Report): Promise<Buffer> => {
    if (stopped) throw stopping()
    drawing = runInThread<Uint8Array>(program, report)
    try {
      return Buffer.from(await drawing.answer)
    } catch (error) {
      if (stopped) throw stopping()
      log.error('a PDF could not be drawn', { cluster: report.source.id, error: String(error) })
      throw failed()
    }
  }
  return {
    draw: (report) => {
      const turn = last.then(() => drawNext(report))
      last = turn.catch(() => undefined)
      return turn
    },
    stop() {
      stopped = true
      drawing?.cancel()
    },
  }
}

const stopping = (): Refusal =>
  notReady('Septet is shutting down, so the PDF was not created.', 'Try again when it is back.')

const failed = (): Refusal =>
  new Refusal(
    'internal',
    'The PDF of this report could not be created. Everything else still works, including other PDFs.',
    'Try again, or export CSV or JSON. The Septet log says why it failed.',
  )
