import { Worker } from 'node:worker_threads'

import type { Log } from '@septet/domain'

import type { Report } from '../operations/report/report.ts'
import { Refusal } from '@septet/contract'
import type { DrawPdf } from '../report/report-file.ts'

/** What the thread is told and what it tells: a report, and its PDF. */
export type ToPdf = Report
export type FromPdf = Uint8Array<ArrayBuffer>

export type PdfThread = {
  /** Draws one after the other. Throws a `Refusal` where the thread died of one; the next one has a new thread. */
  readonly draw: DrawPdf
  /** Ends the thread at once; what is being drawn is refused. */
  readonly stop: () => Promise<void>
}

export type PdfThreadOptions = {
  readonly log: Log
  /** How long a thread that draws nothing is kept, milliseconds. */
  readonly idleMs?: number
  /** How long one may take, milliseconds. */
  readonly limitMs?: number
}

/** Long enough for who exports three reports in a row; idle, it holds some tens of MiB. */
const IDLE_MS = 60_000
/** Some fifty times what one takes. */
const LIMIT_MS = 60_000
const HEAP_MIB = 512

/**
 * Draws PDFs in a thread of its own, so that no answer waits for about a second of the processor. It is started with the
 * first PDF and ends when none has been wanted for a while.
 */
export function openPdfThread({ log, idleMs = IDLE_MS, limitMs = LIMIT_MS }: PdfThreadOptions): PdfThread {
  let thread: Thread | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let stopped = false
  const end = async (): Promise<void> => {
    clearTimeout(idle)
    const ending = thread
    thread = undefined
    await ending?.end()
  }
  const drawNext = async (report: Report): Promise<Buffer> => {
    if (stopped) throw stopping()
    clearTimeout(idle)
    thread = thread === undefined || thread.hasEnded() ? startThread() : thread
    const drawing = thread
    const limit = setTimeout(() => void drawing.end(), limitMs)
    try {
      return await drawing.draw(report)
    } catch (error) {
      if (stopped) throw stopping()
      log.error('a PDF could not be drawn', { cluster: report.source.id, error: String(error) })
      await end()
      throw failed()
    } finally {
      clearTimeout(limit)
      idle = setTimeout(() => void end(), idleMs).unref()
    }
  }
  return {
    draw: (report) => {
      const turn = last.then(() => drawNext(report))
      last = turn.catch(() => undefined)
      return turn
    },
    async stop() {
      stopped = true
      await end()
    },
  }
}

const stopping = (): Refusal =>
  new Refusal('not-ready', 'Septet is shutting down, so the PDF was not created.', 'Try again when it is back.')

const failed = (): Refusal =>
  new Refusal(
    'internal',
    'The PDF of this report could not be created. Everything else still works, including other PDFs.',
    'Try again, or export CSV or JSON. The Septet log says why it failed.',
  )

type Thread = {
  /** Rejects when the thread ends first, with what it died of. Not asked again before it has answered. */
  draw(report: Report): Promise<Buffer>
  end(): Promise<void>
  hasEnded(): boolean
}

function startThread(): Thread {
  const worker = new Worker(new URL('pdf-thread-main.ts', import.meta.url), {
    name: 'pdf',
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  })
  let drawing: PromiseWithResolvers<Buffer> | undefined
  let because: unknown = new Error('Its thread ended before it was done, or took too long and was ended.')
  let hasEnded = false
  worker.on('message', (pdf: FromPdf) => drawing?.resolve(Buffer.from(pdf.buffer)))
  worker.once('error', (error) => (because = error))
  worker.once('exit', () => {
    hasEnded = true
    drawing?.reject(because)
  })
  return {
    draw: (report) => {
      drawing = Promise.withResolvers<Buffer>()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(report satisfies ToPdf)
      return drawing.promise
    },
    end: async () => void (await worker.terminate()),
    hasEnded: () => hasEnded,
  }
}
