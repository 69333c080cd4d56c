import { busyAlone, measuredWords } from '@septet/contract/busy-words'
import { inCents } from '@septet/contract/in-cents'
import { partOfMonth } from '@septet/contract/partial'
import { cents, grouped, plural, short, wholePercent, dollars } from '@septet/domain/words'
import { COST_PARTS, heldOf, isIdleKnown, toCents } from '@septet/domain'
import type { Report } from '../../operations/report/report.ts'
import { drawMonths, MONTH_WIDTH, type MonthBars } from './draw-months.ts'
import type { PdfPiece } from './flow.ts'
import { INK, write, type Paper } from './paper.ts'
import { drawParts } from './parts-bar.ts'
import { caption, heading, note, space, STRETCH } from './solid-pieces.ts'
import { spendParts } from './spend.ts'
import { tablePiece, type PaperColumn } from './table-piece.ts'
import { figureTag, tag, type TagBox } from './tags.ts'
import { tokensPieces } from './tokens-pieces.ts'
import { sayFigure } from './words.ts'

type Finding = Report['findings']['findings'][number]

/** On what the most was wasted, the largest first. */
function findingsPieces(paper: Paper, { findings: { findings } }: Report): readonly PdfPiece[] {
  if (findings.length === 0) return []
  return [
    heading(paper, { title: 'Largest findings', aside: 'at the rate of this period' }),
    tablePiece(paper, { columns: COLUMNS, rows: findings, least: 2 }),
    ...caption(
      paper,
      'All findings are in the CSV file. A finding is waste as it was measured, not a saving; the recommendations say what to change.',
    ),
  ]
}

const COLUMNS: readonly PaperColumn<Finding>[] = [
  { name: 'Waste', text: ({ kind }) => kind, share: 13 },
  { name: 'Where and why', text: ({ message }) => message, share: 73, lines: 2 },
  {
    name: 'A month',
    text: ({ usdPerMonth, gpuHours }) =>
      usdPerMonth === null ? (gpuHours === null ? 'unknown' : `${short(gpuHours)} GPU-h`) : dollars(usdPerMonth),
    share: 14,
    as: 'figure',
  },
]

type Group = Omit<Report['cost']['namespace']['groups'][number], 'id' | 'kind'> & {
  /** Several groups together: too much for the scale of the others. */
  readonly isSum?: true
}
type Parts = Group['gpuHours']

/** What was spent, by who held it and by GPU model, month by month, and on what the most was wasted. */
export function moneyChapter(paper: Paper, report: Report): readonly PdfPiece[] {
  if (report.source.kind === 'sample') return monthsPieces(paper, report)
  return [
    ...teams(paper, report),
    ...models(paper, report),
    ...tokensPieces(paper, report),
    ...monthsPieces(paper, report),
    ...findingsPieces(paper, report),
  ]
}

function teams(paper: Paper, { cost: { namespace } }: Report): readonly PdfPiece[] {
  const title = heading(paper, { title: 'Cost by team (namespace)' })
  const rows = sorted(inCents(namespace.groups, namespace.total?.usd)).map((group) => ({
    ...group,
    key: group.key === '' ? 'No known holder' : group.key,
  }))
  if (rows.length === 0) return [title, note(paper, 'Nothing was held in this period.'), space(16)]
  const columns = teamColumns({ ...sumOf('', []), ...namespace.total }, rows)
  const total = namespace.total === null ? undefined : { key: 'All', isSum: true as const, ...namespace.total }
  return [
    title,
    tablePiece(paper, {
      columns,
      rows,
      least: 7,
      others: (rest) => sumOf(plural(rest.length, 'other namespace'), rest),
      ...(total === undefined ? {} : { total }),
    }),
    ...caption(
      paper,
      'The bars divide each cost as on the first page, to scale. “No known holder” is what was free or broken.',
    ),
    space(14, 26),
  ]
}

function teamColumns(all: Group, rows: readonly Group[]): readonly PaperColumn<Group>[] {
  const whole = all.usd === null ? all.gpuHours.capacity : toCents(all.usd.capacity)
  const amountOf = ({ usd, gpuHours }: Group): number => (all.usd === null ? gpuHours.capacity : (usd?.capacity ?? 0))
  const largest = Math.max(...rows.map(amountOf), 0.0001)
  const bar = (sheet: Paper, group: Group, box: TagBox): void => {
    if (group.isSum === true) return
    const parts = spendParts(group.usd ?? group.gpuHours, isIdleKnown(group.gpuHours))
    const width = box.width * Math.min(1, amountOf(group) / largest)
    drawParts(sheet, parts, { ...box, y: box.y + 0.5, width, height: 9 })
  }
  return [
    { name: 'Namespace', text: ({ key }) => key, share: 21 },
    { name: 'What it went to', text: () => '', draw: bar, share: 17 },
    {
      name: 'Share',
      text: (group) => (whole > 0 ? wholePercent(amountOf(group) / whole) : ''),
      share: 7,
      as: 'figure',
    },
    hoursColumn,
    ...busyColumns,
    idleColumn,
    costColumn,
  ]
}

const hoursColumn: PaperColumn<Group> = {
  name: 'GPU-h',
  text: ({ gpuHours }) => short(gpuHours.capacity),
  share: 9,
  as: 'figure',
}
const busyColumns: readonly PaperColumn<Group>[] = [
  // "Not measured" would be cut off.
  {
    name: 'Busy of held',
    text: (group) => (group.busy === null ? 'unknown' : busyAlone(group)),
    share: 12,
    as: 'figure',
  },
  { name: 'Measured', text: measuredWords, share: 9, as: 'figure' },
]
const idleColumn: PaperColumn<Group> = {
  name: 'Idle-held',
  text: ({ usd, gpuHours }) => {
    if (!isIdleKnown(gpuHours)) return 'unknown'
    return usd === null ? `${short(gpuHours.idleHeld)} GPU-h` : cents(usd.idleHeld)
  },
  share: 13,
  as: 'figure',
}
const costColumn: PaperColumn<Group> = {
  name: 'Cost',
  text: ({ usd }) => (usd === null ? 'no price' : cents(usd.capacity)),
  share: 12,
  as: 'figure',
}

const ZERO: Parts = {
  capacity: 0,
  used: 0,
  unmeasured: 0,
  idleHeld: 0,
  unallocated: null,
  stranded: null,
  oversized: 0,
  broken: null,
  unrequested: null,
  unobserved: null,
}

/** By cost, the largest first, as on the Cost screen; what has no price comes last. */
const sorted = (groups: readonly Group[]): readonly Group[] =>
  groups.toSorted(
    (a, b) => (b.usd?.capacity ?? -1) - (a.usd?.capacity ?? -1) || b.gpuHours.capacity - a.gpuHours.capacity,
  )

/** Several groups as one. */
function sumOf(key: string, groups: readonly Group[]): Group {
  const priced = groups.flatMap(({ usd }) => (usd === null ? [] : [usd]))
  const gpuHours = groups.map((group) => group.gpuHours).reduce(added, ZERO)
  const held = heldOf(gpuHours)
  const measured = groups.reduce((sum, group) => sum + measuredOf(group), 0)
  const busy = groups.reduce((sum, group) => sum + (group.busy ?? 0) * measuredOf(group), 0)
  return {
    key,
    isSum: true,
    busy: measured > 0 ? busy / measured : null,
    coverage: held > 0 ? measured / held : null,
    unmeasuredShare: held > 0 ? 1 - measured / held : null,
    gpuHours,
    usd: priced.length === 0 ? null : priced.reduce(added, ZERO),
  }
}

const measuredOf = ({ gpuHours, coverage }: Group): number => heldOf(gpuHours) * (coverage ?? 0)

const KEYS = ['capacity', 'unmeasured', ...COST_PARTS] as const

const added = (sums: Parts, more: Parts): Parts =>
  KEYS.reduce((all, key) => {
    const [sum, amount] = [sums[key], more[key]]
    return { ...all, [key]: sum === null && amount === null ? null : (sum ?? 0) + (amount ?? 0) }
  }, sums)

function models(paper: Paper, { cost: { model }, prices: { uses } }: Report): readonly PdfPiece[] {
  const rows = sorted(inCents(model.groups, model.total?.usd)).map((group) => ({
    ...group,
    key: group.key === '' ? '(unknown board)' : group.key,
  }))
  if (rows.length === 0) return []
  const of = ({ key }: Group) => uses.filter((use) => use.model === key)
  const shared = sharedEnd(uses.filter(({ usdPerGpuHour }) => usdPerGpuHour !== null).map(({ source }) => source))
  const cut = (source: string): string =>
    shared !== '' && source.endsWith(shared) ? source.slice(0, -shared.length) : source
  const columns: readonly PaperColumn<Group>[] = [
    { name: 'GPU model', text: ({ key }) => key, share: 17 },
    {
      name: 'Price source',
      text: (group) =>
        firstOf(of(group).map(({ source, estimate }) => `${estimate ? 'Estimate: ' : ''}${cut(source)}`)),
      share: 20,
      lines: 2,
    },
    {
      name: '$/GPU-h',
      text: (group) => firstOf(of(group).map(({ usdPerGpuHour }) => usdPerGpuHour?.toFixed(2) ?? 'no price')),
      share: 9,
      as: 'figure',
    },
    hoursColumn,
    ...busyColumns,
    idleColumn,
    costColumn,
  ]
  return [
    heading(paper, { title: 'Cost by GPU model' }),
    tablePiece(paper, { columns, rows, least: 4, others: (rest) => sumOf(plural(rest.length, 'other model'), rest) }),
    ...(shared === '' ? [] : caption(paper, `All prices: ${shared.trim().slice(1, -1)}.`)),
    space(14, 26),
  ]
}

/** What all of several sources end with in parentheses; empty where they do not. */
function sharedEnd(sources: readonly string[]): string {
  const [end = '', ...others] = new Set(sources.map((source) => / \([^()]*\)$/u.exec(source)?.[0] ?? ''))
  return others.length === 0 ? end : ''
}

/** The text that all have, or the first and how many others there are. */
function firstOf(texts: readonly string[]): string {
  const [first = '', ...others] = [...new Set(texts)]
  return others.length === 0 ? first : `${first} and ${grouped(others.length)} more`
}

function monthsPieces(paper: Paper, { months: { months: all, note: words }, source }: Report): readonly PdfPiece[] {
  const shown = all.slice(-MOST_MONTHS).filter(({ baseline }) => baseline.value !== null)
  const isSample = source.kind === 'sample'
  const difference = isSample ? 'savings' : 'waste'
  const title = heading(paper, {
    title: 'Monthly Cost Optimization Impact',
    aside: shown.length === 0 ? '' : `baseline · optimized · ${difference}`,
  })
  if (shown.length === 0)
    return [
      title,
      note(paper, all.length === 0 ? 'No month has data yet.' : 'No month has a price yet.', { below: 16 }),
    ]
  const bars = shown.map((month) => monthBars(month))
  const alt = `Bars by month. ${bars.map(({ name, note: part, bars: three }) => `${name}${part === '' ? '' : ` (${part})`}: ${three.map(({ is, words: amount }) => `${is} ${amount}`).join(', ')}`).join('. ')}.`
  // A few months leave room for what they mean beside them.
  const drawn = bars.length * MONTH_WIDTH
  const isBeside = paper.width - drawn > 160
  return [
    title,
    {
      least: 9,
      most: isSample ? 9 : 13,
      units: (steps) => [
        {
          height: steps * STRETCH + 30,
          draw: (sheet, y) => {
            const box = { x: sheet.left, y, width: isBeside ? drawn : sheet.width, height: steps * STRETCH + 28 }
            figureTag(sheet, { alt, box }, (inside) => drawMonths(inside, bars, { ...box, height: steps * STRETCH }))
            const beside = { x: sheet.left + drawn + 12, width: sheet.width - drawn - 12, size: 8, color: INK.soft }
            if (isBeside) tag(sheet, 'P', (inside) => void write(inside, words, { y: y + 10, ...beside }))
          },
        },
      ],
    },
    ...(isBeside ? [] : caption(paper, words)),
    space(14, 26),
  ]
}

const MOST_MONTHS = 6

/** What was verified is never one bar with what is estimated: it is in the table of savings. */
function monthBars({ month, baseline, optimized, savings, ...seen }: Report['months']['months'][number]): MonthBars {
  return {
    name: seen.from === null ? month : MONTH.format(new Date(seen.from)),
    note: partOfMonth(seen) ?? '',
    bars: [
      { is: 'baseline', amount: baseline.value, words: sayFigure(baseline), color: INK.free },
      { is: 'optimized', amount: optimized.value, words: sayFigure(optimized), color: INK.busy },
      {
        is: seen.from === null ? 'savings' : 'waste',
        amount: savings.estimated.value,
        words: sayFigure(savings.estimated),
        color: INK.busySoft,
        isDashed: true,
      },
    ],
  }
}

const MONTH = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', timeZone: 'UTC' })
