import type { Worker } from 'node:worker_threads'

import { REPORT_FILES_PATH } from '@septet/contract'
import type { Log } from '@septet/domain'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { openTestSeptet } from '../../faces/open-test-septet.fixture.ts'
import type { Report } from '../../operations/report/report.ts'
import { reportPdf } from '../../report/pdf/report-pdf.ts'
import { SAMPLE_REPORT } from '../../report/sample-report.fixture.ts'
import { openPdfDrawing, type PdfDrawing, type PdfOptions } from './draw-pdf.ts'

/** A report that nothing can be drawn of. */
const BROKEN = { ...SAMPLE_REPORT, summary: undefined } as unknown as Report

const opened: PdfDrawing[] = []
const threads: { ended: boolean }[] = []
const errors: unknown[] = []

const LOG: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: (_, context) => void errors.push(context),
}

function open(options: Omit<PdfOptions, 'log'> = {}): PdfDrawing {
  const pdf = openPdfDrawing({ log: LOG, ...options })
  opened.push(pdf)
  return pdf
}

const counted = (worker: Worker): void => {
  const thread = { ended: false }
  threads.push(thread)
  worker.once('exit', () => (thread.ended = true))
}
beforeAll(() => void process.on('worker', counted))
afterAll(() => void process.off('worker', counted))

afterEach(() => {
  for (const pdf of opened.splice(0)) pdf.stop()
  threads.splice(0)
  errors.splice(0)
})

/** The objects of a PDF, but for the second it was made in: they are compressed, and written, in any order. */
const objects = (pdf: Buffer): string[] =>
  [...pdf.toString('latin1').matchAll(/\d+ 0 obj[\s\S]*?endobj/gu)]
    .map(([object]) => object.replace(/\(D:\d{14}Z\)|<xmp:CreateDate>[^<]*/u, ''))
    .toSorted()

test('it draws what would be drawn here, to the byte, in a thread for each, one after the other', async () => {
  const pdf = open()
  expect(threads).toEqual([])
  const [first, second] = await Promise.all([pdf.draw(SAMPLE_REPORT), pdf.draw(SAMPLE_REPORT)])
  const here = objects(await reportPdf(SAMPLE_REPORT))
  expect(here.length).toBeGreaterThan(20)
  for (const there of [first, second].map(objects)) {
    expect(there.length).toBe(here.length)
    expect(there.filter((object, index) => object !== here[index])).toEqual([])
  }
  await expect.poll(() => threads).toEqual([{ ended: true }, { ended: true }])
})

test('a report that it dies of is refused with what to do, and the one that waits is drawn by a new thread', async () => {
  const pdf = open()
  const drawings = await Promise.allSettled([pdf.draw(BROKEN), pdf.draw(SAMPLE_REPORT)])
  expect(drawings).toMatchObject([
    { status: 'rejected', reason: { name: 'Refusal', code: 'internal', todo: expect.stringContaining('CSV or JSON') } },
    { status: 'fulfilled', value: expect.any(Buffer) },
  ])
  await expect.poll(() => threads).toEqual([{ ended: true }, { ended: true }])
  expect(errors).toEqual([{ cluster: 'sample', error: expect.stringContaining('TypeError') }])
})

test('one that takes too long is ended and refused', async () => {
  await expect(open({ limitMs: 1 }).draw(SAMPLE_REPORT)).rejects.toMatchObject({ name: 'Refusal', code: 'internal' })
  await expect.poll(() => threads).toEqual([{ ended: true }])
  expect(errors).toEqual([{ cluster: 'sample', error: expect.stringContaining('too long') }])
})

test('stopping ends the thread at once; what is drawn, waits or comes later is refused', async () => {
  const pdf = open()
  const asked = Promise.allSettled([pdf.draw(SAMPLE_REPORT), pdf.draw(SAMPLE_REPORT)])
  await expect.poll(() => threads).toEqual([{ ended: false }])
  pdf.stop()
  await expect.poll(() => threads).toEqual([{ ended: true }])
  const refused = { reason: { name: 'Refusal', code: 'not-ready' } }
  expect(await asked).toMatchObject([refused, refused])
  await expect(pdf.draw(SAMPLE_REPORT)).rejects.toMatchObject(refused.reason)
  expect(threads).toEqual([{ ended: true }])
  expect(errors).toEqual([])
})

test('answers come while a PDF is drawn', async () => {
  const pdf = open()
  const begun = Promise.withResolvers<void>()
  const drawing = { isDone: false }
  const septet = await openTestSeptet({
    drawPdf: async (report) => {
      begun.resolve()
      const made = await pdf.draw(report)
      drawing.isDone = true
      return made
    },
  })
  const asked = fetch(`${septet.url}${REPORT_FILES_PATH}/pdf?cluster=sample`)
  await begun.promise
  const came: number[] = []
  while (!drawing.isDone) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, for as long as it takes
    const { status } = await fetch(`${septet.url}/api/v1/summary?cluster=sample`)
    if (!drawing.isDone) came.push(status)
  }
  const answer = await asked
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(Buffer.from(await answer.arrayBuffer()).toString('latin1', 0, 5)).toBe('%PDF-')
  // Drawn in the thread that answers, none would have come.
  expect(came.length).toBeGreaterThan(0)
  expect(new Set(came)).toEqual(new Set([200]))
  await septet.close()
})
