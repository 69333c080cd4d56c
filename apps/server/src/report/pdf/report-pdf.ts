import { once } from 'node:events'

import type { Report } from '../../operations/report/report.ts'
import { advicePage } from './advice-page.ts'
import { headlinePage } from './headline-page.ts'
import { moneyPage } from './money-page.ts'
import { INK, needHeight, openPaper, PAGE, write, type Paper } from './paper.ts'
import { partitionsPage } from './partitions-page.ts'
import { windowWords } from './words.ts'

/** The report as a PDF of A4 pages, drawn as lines and text: it can be searched, copied from and printed. */
export async function reportPdf(report: Report): Promise<Buffer> {
  const paper = openPaper(`GPU Optimization Summary: ${report.source.name}`)
  const pieces: Buffer[] = []
  paper.document.on('data', (piece: Buffer) => pieces.push(piece))
  const finished = once(paper.document, 'end')
  headlinePage(paper, report)
  // A subject begins on a page of its own unless much of the last one is left, as in a report of little.
  for (const pages of [moneyPage, partitionsPage, advicePage]) {
    needHeight(paper, SUBJECT_HEIGHT)
    pages(paper, report)
  }
  footers(paper, report)
  paper.document.end()
  await finished
  return Buffer.concat(pieces)
}

const SUBJECT_HEIGHT = 330

function footers(paper: Paper, { source, window, version }: Report): void {
  const { document, left, width } = paper
  const { start, count } = document.bufferedPageRange()
  for (let page = start; page < start + count; page += 1) {
    document.switchToPage(page)
    const y = PAGE.height - 36
    const how = { size: 7.5, color: INK.quiet, lines: 1 }
    write(paper, `${source.name} · ${windowWords(window)}`, { x: left, y, ...how, width: width - 120 })
    write(paper, `Septet ${version} · ${page + 1} of ${count}`, {
      x: left + width - 120,
      y,
      ...how,
      width: 120,
      align: 'right',
    })
  }
}
