import { once } from 'node:events'

import { reportPeriod } from '@septet/contract/report-period'

import type { Report } from '../../operations/report/report.ts'
import { changeChapter } from './change-chapter.ts'
import { fleetChapter } from './fleet-chapter.ts'
import { drawChapters } from './flow.ts'
import { headlineChapter } from './headline-chapter.ts'
import { moneyChapter } from './money-chapter.ts'
import { INK, openPaper, PAPER, write, type Paper } from './paper.ts'
import { spendOf } from './spend.ts'
import { decoration } from './tags.ts'

const WITHOUT_GPUS = [headlineChapter] as const
const CHAPTERS = [headlineChapter, moneyChapter, changeChapter, fleetChapter] as const

/**
 * The report as a PDF of A4 pages, drawn as lines and text: it can be searched, copied from and printed. It is tagged, so
 * that a screen reader tells it in order, with headings, tables and what each drawing shows.
 */
export async function reportPdf(report: Report): Promise<Buffer> {
  const paper = openPaper(`GPU report: ${report.source.name}, ${reportPeriod(report)}`)
  const pieces: Buffer[] = []
  paper.document.on('data', (piece: Buffer) => pieces.push(piece))
  const finished = once(paper.document, 'end')
  drawChapters(
    paper,
    (hasGpus(report) ? CHAPTERS : WITHOUT_GPUS).map((chapter) => chapter(paper, report)),
  )
  footers(paper, report)
  paper.document.end()
  await finished
  return Buffer.concat(pieces)
}

const hasGpus = ({ source, summary }: Report): boolean =>
  source.kind === 'sample' || summary.capacity.gpus > 0 || spendOf({ summary }) !== undefined

function footers(paper: Paper, report: Report): void {
  const { document, left, width } = paper
  const { start, count } = document.bufferedPageRange()
  for (let page = start; page < start + count; page += 1) {
    document.switchToPage(page)
    const how = { y: PAPER.height - 36, size: 7.5, color: INK.quiet, lines: 1 }
    decoration(
      paper,
      (foot) => {
        write(foot, [...new Set([report.source.name, reportPeriod(report)])].join(' · '), {
          x: left,
          ...how,
          width: width - 130,
        })
        const number = `Septet ${report.version} · ${page + 1} of ${count}`
        write(foot, number, { x: left + width - 120, ...how, width: 120, align: 'right' })
      },
      'Pagination',
    )
  }
}
