import { agree, listed, wholePercent, plural, dollars, grouped, percent, short } from '@septet/domain/words'
import { rangeName, reportPeriod } from '@septet/contract/report-period'
import type { Report } from '../../operations/report/report.ts'
import { firstSteps } from './first-steps.ts'
import type { PdfPiece } from './flow.ts'
import { keyFigures } from './key-figures.ts'
import { heightOf, INK, write, type Paper } from './paper.ts'
import { drawParts, partsText } from './parts-bar.ts'
import { heading, note, solid, space } from './solid-pieces.ts'
import { amountWords, spendOf, spendSentence, type Spend, type SpendPart } from './spend.ts'
import { tablePiece, type PaperColumn } from './table-piece.ts'
import { decoration, figureTag, rule, tag } from './tags.ts'
import { momentWords } from './words.ts'

/** The first page, read in ten seconds: what was spent, what was wasted, what to do first, and how sure that is. */
export function headlineChapter(paper: Paper, report: Report): readonly PdfPiece[] {
  const isSample = report.source.kind === 'sample'
  return [
    title(paper, report),
    space(12, 22),
    statement(paper, isSample ? 'Sample data: fixed figures, not a cluster.' : spendSentence(report)),
    space(12, 20),
    keyFigures(paper, report),
    space(18, 30),
    ...whereItWent(paper, report),
    ...firstSteps(paper, report),
    ...trust(paper, report),
  ]
}

const LOGO = [
  { x: 3, top: 3 },
  { x: 6, top: 3 },
  { x: 9, top: 3 },
  { x: 12, top: 3 },
  { x: 17, top: 5.5 },
  { x: 20, top: 5.5 },
  { x: 24, top: 12 },
] as const

function title(paper: Paper, report: Report): PdfPiece {
  const lead = leadOf(report)
  const top = 22
  const height = top + heightOf(paper, lead, { size: 8.5 }) + 8
  return solid({
    height,
    draw: (sheet, y) => {
      const { left } = sheet
      decoration(sheet, ({ document }) => {
        const scale = 17 / 27
        for (const bar of LOGO)
          document.moveTo(left + bar.x * scale, y + bar.top * scale).lineTo(left + bar.x * scale, y + 24 * scale)
        document.lineWidth(1.2).strokeColor(INK.ink).stroke()
      })
      tag(sheet, 'H1', (inside) => {
        write(inside, 'GPU Optimization Summary', { x: left + 22, y: y + 0.5, face: 'bold', size: 11.5, lines: 1 })
        const beside = { x: left + 220, width: sheet.width - 220, align: 'right', lines: 1 } as const
        write(inside, report.source.name, { ...beside, y: y + 1, face: 'medium', size: 10.5 })
      })
      tag(sheet, 'P', (inside) => void write(inside, lead, { x: left, y: y + top, size: 8.5, color: INK.soft }))
      rule(sheet, y + height, INK.ink)
    },
  })
}

/** Of which time, of what, by which prices, and how the cluster is. */
function leadOf({ source, window, range, scope, prices, madeAt, summary }: Report): string {
  if (source.kind === 'sample') return summary.status.headline
  const name = rangeName({ range, window })
  const { namespaces } = scope
  return [
    `${reportPeriod({ range, window })}${name === undefined ? '' : ` (${name})`}`,
    ...(namespaces === null ? [] : [`${agree(namespaces.length, 'Namespace', 'Namespaces')}: ${listed(namespaces)}`]),
    `Prices: ${priceWords(prices)}`,
    `Made ${momentWords(madeAt)}`,
  ].join('  ·  ')
}

function statement(paper: Paper, text: string): PdfPiece {
  const look = { face: 'bold', size: 20.5 } as const
  return solid({
    height: heightOf(paper, text, look),
    draw: (sheet, y) => tag(sheet, 'P', (inside) => void write(inside, text, { x: sheet.left, y, ...look })),
  })
}

function whereItWent(paper: Paper, report: Report): readonly PdfPiece[] {
  const spend = spendOf(report)
  if (spend === undefined) return []
  return [
    heading(paper, { title: spend.isPriced ? 'Where the money went' : 'Where the GPU time went' }),
    solid({ height: BAR + 6, draw: (sheet, y) => spendBar(sheet, y, spend) }, { keep: true }),
    tablePiece(paper, {
      columns: partColumns(spend),
      rows: spend.parts,
      least: spend.parts.length,
      total: wholeOf(spend),
    }),
    space(18, 30),
  ]
}

const BAR = 30

function spendBar(paper: Paper, y: number, { parts, isOfNamespaces }: Spend): void {
  const box = { x: paper.left, y, width: paper.width, height: BAR }
  const alt = `Bar of ${isOfNamespaces ? 'what was held' : 'the capacity'}, to scale: ${partsText(parts)}.`
  figureTag(paper, { alt, box }, (inside) => drawParts(inside, parts, box))
}

type PartRow = Pick<SpendPart, 'name' | 'means' | 'amount' | 'share'> & { readonly look: SpendPart['look'] | undefined }

const wholeOf = ({ whole, isOfNamespaces }: Spend): PartRow => ({
  name: isOfNamespaces ? 'Held' : 'Capacity',
  look: undefined,
  means: isOfNamespaces
    ? 'All that these namespaces held. The parts add up to it.'
    : 'All GPUs × time. The parts add up to it.',
  amount: whole,
  share: 1,
})

function partColumns(spend: Spend): readonly PaperColumn<PartRow>[] {
  return [
    { name: 'Part', text: ({ name }) => name, mark: ({ look }) => look, share: 22 },
    { name: 'What it means', text: ({ means }) => means, share: 52 },
    {
      name: spend.isPriced ? 'Cost' : 'GPU time',
      text: ({ amount }) => (amount === undefined ? 'not measured' : amountWords(amount, spend)),
      share: 15,
      as: 'figure',
    },
    {
      name: 'Share',
      text: ({ amount, share }) => (amount === undefined ? '' : wholePercent(share)),
      share: 11,
      as: 'figure',
    },
  ]
}

/** How the cluster is, and how far its figures can be trusted: there on the first page, and in its place. */
function trust(paper: Paper, report: Report): readonly PdfPiece[] {
  if (report.source.kind === 'sample') return []
  const { headline, kind } = report.summary.status
  const words = trustWords(report)
  const lead = kind === 'operational' ? headline : `Needs attention: ${headline}.`
  return [
    heading(paper, { title: 'Data quality' }),
    note(paper, lead, { color: kind === 'operational' ? INK.busyInk : INK.faultInk, below: 2, keep: true }),
    note(paper, words),
  ]
}

/** Where prices are from, in a few words; the table of models has each source whole. */
function priceWords({ uses }: Report['prices']): string {
  const priced = uses.filter(({ usdPerGpuHour }) => usdPerGpuHour !== null)
  const sources = [...new Set(priced.map(({ source }) => source))]
  const unpriced = new Set(uses.filter(({ usdPerGpuHour }) => usdPerGpuHour === null).map(({ model }) => model))
  if (sources.length === 0) return uses.length === 0 ? 'none in use' : 'not set'
  const without = unpriced.size === 0 ? '' : `; none for ${plural(unpriced.size, 'model')}`
  // "AWS us-east-1, on demand, p5.48xlarge (…)" and its neighbors: what all of them begin with says it. An estimate says first how it follows from one.
  const own = priced.map(({ source, estimate }) => (estimate ? source.replace(/^[^;]*; /u, '') : source).split(', '))
  const [first = []] = own
  const differs = first.findIndex((part, index) => own.some((parts) => parts[index] !== part))
  const shared = differs === -1 ? first : first.slice(0, differs)
  if (sources.length === 1 || shared.length === 0)
    return `${sources.length === 1 ? (sources[0] ?? '') : plural(sources.length, 'source')}${without}`
  return `${shared.join(', ')}${without}`
}

/** How far the figures can be trusted, in a few sentences. */
function trustWords({ quality, age, summary: { cost, capacity, notes } }: Report): string {
  const { devices, measuredDevices } = quality
  return [
    devices === 0
      ? 'No GPU reports measurements, so use and idle time are not measured.'
      : `${grouped(measuredDevices)} of ${grouped(devices)} GPUs and GPU instances (${percent(measuredDevices / devices)}) report measurements that can be trusted.`,
    ...capacity.sentences.filter((sentence) => /^\d+ of \d+ nodes?/u.test(sentence)),
    ...(age === undefined ? [] : [age]),
    ...notes,
    ...unmeasured(cost),
    ...(cost.unpricedGpuHours > 0 ? [`${short(cost.unpricedGpuHours)} GPU-h have no price and are in no amount.`] : []),
  ].join(' ')
}

/** What nobody measured is never waste, so the waste told here may be less than there is. */
function unmeasured({ hours, unmeasured: cost }: Report['summary']['cost']): readonly string[] {
  if (hours === null || hours.unmeasured <= 0) return []
  const amount = cost.value === null ? `${short(hours.unmeasured)} GPU-h` : dollars(cost.value)
  return [`${amount} went to work that was not measured: it counts as used, so real waste may be higher.`]
}
