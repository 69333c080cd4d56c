import { dollars, grouped, percent, short } from '@septet/domain/words'
import type { FigureView } from '@septet/contract'
import { intervalWords } from '@septet/contract/figure-words'
import { isIdleKnown } from '@septet/domain'

import type { Report } from '../../operations/report/report.ts'
import { drawTrend } from './draw-trend.ts'
import { drawWaterfall, type WaterfallStep } from './draw-waterfall.ts'
import { INK, rule, write, type Paper } from './paper.ts'
import { heading, note } from './heading.ts'
import { moment, say, windowWords } from './words.ts'

/** The first page: what it is of, the four figures, utilization over time, and where the capacity went. */
export function headlinePage(paper: Paper, report: Report): void {
  titleOf(paper, report)
  cards(paper, report)
  trend(paper, report)
  if (report.source.kind !== 'sample') whereItWent(paper, report)
}

function titleOf(paper: Paper, { source, summary, scope, madeAt, window }: Report): void {
  const { left } = paper
  write(paper, 'GPU Optimization Summary', { x: left, y: paper.y, face: 'bold', size: 22 })
  write(paper, source.name, { x: left, y: paper.y + 3, face: 'medium', size: 10, align: 'right', lines: 1 })
  const status = summary.status
  const tone = status.kind === 'operational' ? INK.busyInk : INK.fault
  write(paper, status.headline, { x: left, y: paper.y + 17, size: 8.5, align: 'right', color: tone, lines: 1 })
  const of = scope.namespaces === null ? '' : ` Namespaces: ${scope.namespaces.join(', ')}.`
  const lead = `${windowWords(window)}. Made ${moment(madeAt)}.${of}${source.kind === 'sample' ? ' Sample data: fixed figures, not a cluster.' : ''}`
  paper.y += 30 + write(paper, lead, { x: left, y: paper.y + 30, size: 8.5, color: INK.soft })
  paper.y += 8
}

type Card = {
  readonly name: string
  readonly figure: FigureView
  readonly words?: string
  readonly small: readonly string[]
}

function cards(paper: Paper, { summary }: Report): void {
  const { savings, utilization, workloads, mig } = summary
  const shown: readonly Card[] = [
    {
      name: 'Total Cost Savings',
      ...savingsCard(savings),
    },
    {
      name: 'GPU Utilization',
      figure: utilization.busy,
      small: [`Target ${percent(utilization.target, 0)}`, utilization.note],
    },
    {
      name: 'Active Workloads',
      figure: { ...mig.headline, value: workloads.active },
      words: grouped(workloads.active),
      small: [`${grouped(workloads.running)} running`, `${grouped(workloads.queued)} queued`],
    },
    { name: 'MIG Efficiency', figure: mig.headline, small: [mig.note] },
  ]
  const room = (paper.width - 3 * 10) / 4
  for (const [index, card] of shown.entries())
    drawCard(paper, card, { x: paper.left + index * (room + 10), width: room })
  paper.y += 88
}

/** What was verified off the bill leads; until then what the open recommendations would take off it, estimated. */
function savingsCard({ verified, freed, bill, capacity, change }: Report['summary']['savings']): Omit<Card, 'name'> {
  if (verified.quality === 'sample') return { figure: verified, small: ['sample figure', change ?? ''] }
  const own = freed.value === null ? [] : [`${say(freed)} freed, verified`]
  if (verified.value !== null)
    return { figure: verified, small: [`verified${surely(verified)}`, ...own, `bill ${say(bill)}, estimated`] }
  if (freed.value !== null)
    return { figure: bill, small: ['off the bill, estimated', ...own, intervalWords(freed) ?? ''] }
  const open = capacity.value === null ? [] : [`frees ${say(capacity)} of capacity`]
  return { figure: bill, small: ['off the bill, estimated', ...open, 'none verified yet'] }
}

/** Between which ends it lies, where that is known. */
function surely(figure: FigureView): string {
  const ends = intervalWords(figure)
  return ends === undefined ? '' : `, ${ends}`
}

function drawCard(
  paper: Paper,
  { name, figure, words, small }: Card,
  { x, width }: { x: number; width: number },
): void {
  const { document, y } = paper
  document.roundedRect(x, y, width, 76, 5).lineWidth(0.7).strokeColor(INK.line).stroke()
  const at = { x: x + 10, y: y + 9 }
  const room = width - 20
  write(paper, name, { ...at, size: 8, color: INK.soft, width: room, lines: 1 })
  const text = words ?? say(figure)
  const known = figure.value !== null
  write(paper, text, {
    x: at.x,
    y: y + 21,
    face: 'bold',
    size: known ? 18 : 11,
    color: known ? INK.ink : INK.quiet,
    width: room,
    lines: 1,
  })
  for (const [index, line] of small.entries())
    write(paper, line, {
      x: at.x,
      y: y + 43 + index * 10,
      size: 7.5,
      color: INK.soft,
      width: room,
      lines: small.length === 1 ? 3 : 1,
    })
}

function trend(paper: Paper, { trend: { points, step } }: Report): void {
  heading(paper, 'GPU Utilization Trend')
  const label = (at: string): string => (step === 0 ? at : moment(at))
  const held = points.every(({ busy }) => busy === null)
  const lines = [
    ...(held ? [] : [{ name: 'Utilization', color: INK.busy, values: points.map(({ busy }) => busy) }]),
    {
      name: step === 0 ? 'Efficiency' : 'Busy of held',
      color: INK.soft,
      dashed: true,
      values: points.map((point) => point.busyOfAllocated),
    },
    { name: 'Allocated', color: INK.free, values: points.map(({ allocated }) => allocated) },
  ].filter(({ values }) => values.some((value) => value !== null))
  if (lines.length === 0) {
    note(paper, 'No utilization was measured in this window.')
    return
  }
  const box = { x: paper.left, y: paper.y, width: paper.width, height: 170 }
  drawTrend(paper, box, { lines, labels: points.map(({ at }) => label(at)) })
  paper.y += 178
  const gaps = points.filter(({ busy, busyOfAllocated }) => busy === null && busyOfAllocated === null).length
  note(
    paper,
    `Share of GPU time.${gaps === 0 ? '' : ` ${gaps} of ${points.length} points were not measured and stay gaps.`}`,
  )
}

const PARTS = [
  { key: 'broken', name: 'Broken', color: INK.fault },
  { key: 'stranded', name: 'Stranded', color: INK.stranded },
  { key: 'unallocated', name: 'Unallocated', color: INK.free },
  { key: 'idleHeld', name: 'Idle-held', color: INK.idle },
  { key: 'oversized', name: 'Oversized', color: '#c99a4b' },
  { key: 'used', name: 'Used', color: INK.busy },
] as const

const shareOf = (part: number, whole: number | null): string =>
  whole === null || whole === 0 ? '' : percent(part / whole)

const NEEDS_TELEMETRY: ReadonlySet<string> = new Set(['idleHeld', 'oversized'])

function whereItWent(paper: Paper, { summary: { cost } }: Report): void {
  heading(paper, 'Where the capacity went')
  const { hours } = cost
  if (hours === null) {
    note(paper, 'There is no cost by part.')
    return
  }
  const isOfNamespaces = hours.unallocated === null
  if (hours.capacity === 0) {
    note(
      paper,
      `${isOfNamespaces ? 'No GPU was held' : 'No GPU was seen'} in this window, so there is nothing to divide.`,
    )
    return
  }
  const inMoney = cost.capacity.value !== null
  const step = (key: keyof typeof hours, name: string, color: string): WaterfallStep[] => {
    const [gpuHours, figure] = [hours[key], key === 'capacity' ? cost.capacity : cost[key]]
    const amount = inMoney ? figure.value : gpuHours
    if (gpuHours === null || amount === null) return []
    const words = inMoney ? dollars(amount) : `${short(gpuHours)} GPU-h`
    const share = inMoney ? shareOf(amount, cost.capacity.value) : shareOf(gpuHours, hours.capacity)
    return [{ name, amount, words, share, color }]
  }
  const [whole] = step('capacity', isOfNamespaces ? 'Held' : 'Capacity', INK.lineStrong)
  if (whole === undefined) return
  drawWaterfall(
    paper,
    whole,
    PARTS.filter(({ key }) => isIdleKnown(hours) || !NEEDS_TELEMETRY.has(key)).flatMap(({ key, name, color }) =>
      step(key, name, color),
    ),
  )
  rule(paper, paper.y + 2)
  paper.y += 8
  const unmeasured =
    hours.unmeasured > 0
      ? ` Of used, ${short(hours.unmeasured)} GPU-h were held without telemetry that can be trusted.`
      : ''
  const unpriced =
    cost.unpricedGpuHours > 0 ? ` ${short(cost.unpricedGpuHours)} GPU-h have no price and are not in the amounts.` : ''
  note(
    paper,
    `The parts never overlap and add up to ${isOfNamespaces ? 'what was held' : 'the capacity'}${inMoney ? ', to the cent before rounding' : ''}.${unmeasured}${unpriced}`,
  )
}
