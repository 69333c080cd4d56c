import { waitCause } from '@septet/domain'
import { dollars, duration, grouped, plural, short } from '@septet/domain/words'

import type { Report } from '../../operations/report/report.ts'
import type { PdfPiece } from './flow.ts'
import type { Paper } from './paper.ts'
import { partitionsPieces } from './partitions-pieces.ts'
import { caption, heading, note, space } from './solid-pieces.ts'
import { tablePiece, type PaperColumn } from './table-piece.ts'
import { sayFigure } from './words.ts'

/** How the fleet ran: how its GPUs are cut, what waited, and what is not measured. */
export const fleetChapter = (paper: Paper, report: Report): readonly PdfPiece[] => [
  ...partitionsPieces(paper, report),
  ...waits(paper, report),
  ...waiting(paper, report),
  ...unmeasured(paper, report),
]

type Cause = Report['waits']['causes'][number]

const CAUSE_COLUMNS: readonly PaperColumn<Cause>[] = [
  { name: 'Waited for', text: ({ name }) => name, share: 18 },
  {
    name: 'Cheapest change that would end most of it',
    text: ({ change, meaning }) => change?.sentence ?? `No change is known: ${meaning}.`,
    share: 50,
    lines: 2,
  },
  { name: 'Time', text: ({ seconds }) => duration(seconds), share: 14, as: 'figure' },
  { name: 'GPU-h', text: ({ gpuHours }) => hoursWords(gpuHours), share: 9, as: 'figure' },
  { name: 'Price', text: ({ usd }) => (usd === null ? 'no price' : dollars(usd)), share: 9, as: 'figure' },
]

/** Nothing known is never 0, and a little is not nothing. */
function hoursWords(hours: number | null): string {
  if (hours === null) return 'unknown'
  return hours > 0 && hours < 0.05 ? '<0.1' : short(hours)
}

function waits(paper: Paper, { waits: { causes, hours, cost, note: words } }: Report): readonly PdfPiece[] {
  if (causes.length === 0) {
    const title = heading(paper, { title: 'What waiting cost' })
    return [title, note(paper, 'No work waited for a GPU in this period.', { below: 16 })]
  }
  return [
    heading(paper, { title: 'What waiting cost', aside: `${sayFigure(hours)} waited, ${sayFigure(cost)}` }),
    tablePiece(paper, { columns: CAUSE_COLUMNS, rows: causes, least: 3 }),
    ...caption(paper, words),
    space(14, 26),
  ]
}

type Workload = Report['workloads']['workloads'][number]

const WAITING_COLUMNS: readonly PaperColumn<Workload>[] = [
  { name: 'Workload', text: ({ name }) => name, small: ({ namespace }) => namespace, share: 26 },
  { name: 'Asks for', text: ({ gpu }) => gpu, share: 15 },
  {
    name: 'Why it waits',
    text: ({ waiting: told }) => (told === null ? 'unknown' : waitCause(told) || told.message),
    share: 46,
    lines: 2,
  },
  {
    name: 'Waits',
    text: ({ duration: seconds }) => (seconds === null ? 'unknown' : duration(seconds)),
    share: 13,
    as: 'figure',
  },
]

/** Longest first, as the Workloads screen has them. */
function waiting(paper: Paper, { workloads: { workloads }, summary }: Report): readonly PdfPiece[] {
  const queued = workloads
    .filter(({ status }) => status === 'queued')
    .toSorted((a, b) => (b.duration ?? -1) - (a.duration ?? -1))
  if (queued.length === 0) return []
  const least = 2
  return [
    heading(paper, {
      title: 'Waiting workloads',
      aside: `${grouped(summary.workloads.queued)} queued, longest wait first`,
    }),
    tablePiece(paper, { columns: WAITING_COLUMNS, rows: queued, least }),
    space(14, 26),
  ]
}

/** What has no trustworthy measurement, and why. */
function unmeasured(
  paper: Paper,
  { quality: { reasons, devices, measuredDevices }, version, source }: Report,
): readonly PdfPiece[] {
  const words = `Figures and their formulas are the same as on the screens of Septet ${version}.`
  if (source.kind === 'sample')
    return [note(paper, `These are the fixed figures of the sample data, not of a cluster. ${words}`)]
  if (reasons.length === 0) return [note(paper, words)]
  const why = reasons.map(({ text, devices: count }) => `${grouped(count)}: ${text}`).join(' ')
  return [
    heading(paper, {
      title: 'What is not measured',
      aside: `${plural(devices - measuredDevices, 'device')} of ${grouped(devices)}`,
    }),
    note(paper, `${why} What is not measured is never counted as idle or as 0. ${words}`),
  ]
}
