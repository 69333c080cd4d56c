import { OPERATIONS, type InputOf, type costLedger } from '@septet/contract'
import {
  COST_PARTS,
  HOUR_MS,
  instant,
  parseRange,
  ratio,
  seconds,
  startOfDate,
  usdPerGpuHour,
  type CostPart,
  type UsageKind,
  type UsageRow,
} from '@septet/domain'
import { openTestStore, usageRow, type TestStore } from '@septet/storage/testing'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { ClusterFacts } from '../../facts.ts'
import { focusFlaws, focusRows } from '../../report/focus-rules.fixture.ts'
import { CSV_FILES } from '../../report/report-csv.ts'
import { SAMPLE_REPORT } from '../../report/sample-report.fixture.ts'
import { ledgerAnswers } from './ledger.ts'

// Fifty months of a drawn history, each billed in one of the zones: what FOCUS says of a month is what its rows cost.

const SEED = 20_261_130
const MONTHS = 50
const NOW = instant(Date.UTC(2026, 10, 30))
/** The first of these months, UTC; the history begins and ends a day beyond them, so that every zone has all of its months. */
const FIRST = Date.UTC(2022, 8, 1)
const startOf = (month: number): number => Date.UTC(2022, 8 + month, 1)
const ZONES = ['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Kathmandu', 'Pacific/Auckland'] as const
const FILES = [
  ['focus-1.0', '1.0'],
  ['focus', '1.2'],
  ['focus-1.3', '1.3'],
] as const
/** Half a cent, which is what makes a cent differ. */
const CENT = 0.005

const PARTS = [
  { gpu: 'GPU-a', share: 1, model: 'H100-80GB-HBM3', pool: 'train' },
  { gpu: 'GPU-b', share: 4 / 7, model: 'A100-SXM4-80GB', pool: 'serve' },
  { gpu: 'GPU-b', share: 3 / 7, model: 'A100-SXM4-80GB', pool: 'serve' },
  // It has no price.
  { gpu: 'GPU-d', share: 1, model: 'Unheard-Of-9', pool: 'lab' },
] as const
const KINDS: readonly UsageKind[] = ['held', 'held', 'held', 'free', 'stranded', 'down', 'unrequested', 'unobserved']
const NAMESPACES = ['lab', 'web', 'edge'] as const

const drawing = (): ((most: number) => number) => {
  const [numbers = []] = fc.sample(fc.array(fc.nat(0xff_ff_ff), { minLength: 9973, maxLength: 9973, size: 'max' }), {
    seed: SEED,
    numRuns: 1,
  })
  let next = 0
  return (most) => {
    next += 1
    return ((numbers[next % numbers.length] ?? 0) + Math.floor(next / numbers.length) * 7919) % most
  }
}

const FREE = { namespace: '', workload: '', pod: '', workloadClass: '', measured: seconds(0) } as const

function rowOf(at: number, part: (typeof PARTS)[number], draw: (most: number) => number): UsageRow {
  const kind = KINDS[draw(KINDS.length)] ?? 'held'
  const present = draw(9) === 0 ? draw(3600) + 1 : 3600
  const idle = (present * draw(97)) / 97
  const namespace = NAMESPACES[draw(NAMESPACES.length)] ?? ''
  const held = {
    namespace,
    workload: `${namespace}/Job/x`,
    pod: `${namespace}/x-0`,
    measured: seconds(present),
    idle: seconds(idle),
    oversized: seconds(draw(3) === 0 ? (present - idle) * 0.37 : 0),
  }
  return usageRow({
    ...part,
    share: ratio(part.share),
    partition: `${part.gpu}/${part.share}`,
    at: instant(at),
    span: '1h',
    kind,
    present: seconds(present),
    ...(kind === 'held' ? held : FREE),
  })
}

/** About one hour of fourteen, and of one day of five none: days and nights of which nothing is known. */
function drawRows(draw: (most: number) => number): UsageRow[] {
  const rows: UsageRow[] = []
  for (let day = FIRST - 24 * HOUR_MS; day < startOf(MONTHS) + 24 * HOUR_MS; day += 24 * HOUR_MS) {
    const isHole = draw(5) === 0
    for (let hour = 0; hour < 24; hour += 1) {
      const isEdge = new Date(day).getUTCDate() === 1 || new Date(day + 24 * HOUR_MS).getUTCDate() === 1
      if (isHole || draw(isEdge ? 3 : 14) > 0) continue
      for (const part of PARTS) rows.push(rowOf(day + hour * HOUR_MS, part, draw))
    }
  }
  return rows
}

type Price = { readonly model: string; readonly from: number; readonly usd: number }

/** Each month has one change of price, at any second of it. */
const drawPrices = (draw: (most: number) => number): Price[] => [
  ...PARTS.slice(0, 2).map(({ model }, order) => ({ model, from: 0, usd: 1 + order })),
  ...Array.from({ length: MONTHS }, (_, month) => ({
    model: PARTS[draw(2)]?.model ?? '',
    from: startOf(month) + draw(27 * 24 * 3600) * 1000,
    usd: (1 + draw(90_000)) / 10_000,
  })),
]

/** What the rows of a window cost by part, from the rows and the prices alone: a row that an edge cuts counts in part. */
function costOfRows(window: Stretch, namespaces: readonly string[] | undefined): Map<string, number> {
  const sums = new Map<string, number>()
  for (const row of rows) {
    const isTheirs = namespaces === undefined || (row.kind === 'held' && namespaces.includes(row.namespace))
    const usd = isTheirs ? usdPerSecond(row, window) : 0
    for (const [part, spent] of secondsOf(row)) sums.set(part, (sums.get(part) ?? 0) + spent * usd)
  }
  return sums
}

type Stretch = { readonly from: number; readonly to: number }

/** What each second of a row costs within a window, at the prices of its stretches. */
function usdPerSecond(row: UsageRow, { from, to }: Stretch): number {
  const [start, end] = [Math.max(row.at, from), Math.min(row.at + HOUR_MS, to)]
  if (start >= end) return 0
  const known = prices.filter(({ model }) => model === row.model).toSorted((a, b) => a.from - b.from)
  const edges = [start, ...known.map((price) => price.from).filter((at) => at > start && at < end), end]
  return edges.slice(1).reduce((sum, edge, order) => {
    const begin = edges[order] ?? start
    const usd = known.findLast((price) => price.from <= begin)?.usd ?? 0
    return sum + (row.share * ((edge - begin) / HOUR_MS) * usd) / 3600
  }, 0)
}

const UNHELD = {
  free: 'unallocated',
  stranded: 'stranded',
  down: 'broken',
  unrequested: 'unrequested',
  unobserved: 'unobserved',
} as const
const secondsOf = ({ kind, present, idle, oversized }: UsageRow): readonly (readonly [CostPart, number])[] =>
  kind === 'held'
    ? [
        ['used', present - idle - oversized],
        ['idleHeld', idle],
        ['oversized', oversized],
      ]
    : [[UNHELD[kind], present]]

/** When the calendar of a zone turns to the date that an instant has in UTC. */
function startIn(zone: string, at: number): number {
  const date = new Date(at)
  return startOfDate(zone, { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() })
}

let store: TestStore
let rows: readonly UsageRow[] = []
let prices: readonly Price[] = []
beforeAll(async () => {
  store = await openTestStore()
  const draw = drawing()
  rows = drawRows(draw)
  prices = drawPrices(draw)
  for (let from = 0; from < rows.length; from += 5000) await store.usage.write('c', rows.slice(from, from + 5000))
  for (const [order, { model, from, usd }] of prices.entries()) {
    await store.prices.put({
      id: `p${order}`,
      cluster: 'c',
      pool: undefined,
      model,
      price: usdPerGpuHour(usd),
      source: 'test',
      asOf: NOW,
      origin: 'operator',
      ...(from > 0 && { effectiveFrom: instant(from) }),
    })
  }
}, 60_000)
afterAll(() => store.close())

const facts = {
  record: { id: 'c', name: 'C', kind: 'cluster' },
  picture: () => undefined,
  history: () => undefined,
  asOf: () => NOW,
} as unknown as ClusterFacts

async function linesOf(
  range: string,
  more: Partial<InputOf<typeof costLedger>>,
  namespaces: readonly string[] | undefined,
) {
  const input = { ...OPERATIONS.costLedger.input.parse({}), ...more, range: parseRange(range) }
  const { costLedger: answer } = ledgerAnswers({ store, now: () => NOW })
  return OPERATIONS.costLedger.output.parse(await answer(facts, input as never, { caller: { namespaces } } as never))
    .lines
}

const sumBy = <Item>(items: readonly Item[], of: (item: Item) => readonly [string, number]): Map<string, number> => {
  const sums = new Map<string, number>()
  for (const [part, amount] of items.map(of)) sums.set(part, (sums.get(part) ?? 0) + amount)
  return sums
}

type Sums = ReadonlyMap<string, number>
type Gap = { readonly where: string; readonly by: number }

/** How far what is told of each part, and of all of them, is from what it is. */
function gapsOf(where: string, told: Sums, whole: Sums): Gap[] {
  const together = (sums: Sums): number => COST_PARTS.reduce((sum, part) => sum + (sums.get(part) ?? 0), 0)
  return [
    ...COST_PARTS.map((part) => ({
      where: `${where}: ${part}`,
      by: Math.abs((told.get(part) ?? 0) - (whole.get(part) ?? 0)),
    })),
    { where, by: Math.abs(together(told) - together(whole)) },
  ]
}

async function judgeMonth(month: number) {
  const zone = ZONES[month % ZONES.length] ?? 'UTC'
  const namespaces = month % 3 === 2 ? ['lab'] : undefined
  const window = { from: startIn(zone, startOf(month)), to: startIn(zone, startOf(month + 1)) }
  const range = `${new Date(window.from).toISOString()}/${new Date(window.to).toISOString()}`
  const lines = await linesOf(range, { zone, step: month % 5 === 4 ? 'hour' : 'day' }, namespaces)
  const exact = costOfRows(window, namespaces)
  const where = `${new Date(startOf(month)).toISOString().slice(0, 7)} in ${zone}`
  const ledger = gapsOf(
    `ledger of ${where}`,
    sumBy(lines, ({ part, usd }) => [part, usd ?? 0]),
    exact,
  )
  const files = FILES.map(([file, version]) => {
    const text = CSV_FILES[file]({
      ...SAMPLE_REPORT,
      range: `last-month@${zone}`,
      cost: { ...SAMPLE_REPORT.cost, lines },
    })
    const rowsOfFile = focusRows(text)
    const gaps = ['BilledCost', 'EffectiveCost'].flatMap((column) =>
      gapsOf(
        `${column} of ${file}, ${where}`,
        sumBy(rowsOfFile, (row) => [row['x_Part'] ?? '', Number(row[column])]),
        exact,
      ),
    )
    return { gaps, flaws: focusFlaws(text, version, zone) }
  })
  return {
    spent: [...exact.values()].reduce((sum, usd) => sum + usd, 0),
    gaps: [...ledger, ...files.flatMap(({ gaps }) => gaps)],
    flaws: files.flatMap(({ flaws }) => flaws),
  }
}

test(`FOCUS says of ${MONTHS} drawn months what their rows cost, to the cent, by part and together`, async () => {
  const judged = await Promise.all(Array.from({ length: MONTHS }, (_, month) => judgeMonth(month)))
  const gaps = judged.flatMap((each) => each.gaps)
  if (process.env['SEPTET_PRINT_LEDGER'] !== undefined)
    process.stdout.write(`${rows.length} rows, worst $${Math.max(...gaps.map(({ by }) => by))}\n`)
  expect(gaps.filter(({ by }) => by >= CENT)).toEqual([])
  expect(judged.flatMap(({ flaws }) => flaws)).toEqual([])
  expect(Math.min(...judged.map(({ spent }) => spent))).toBeGreaterThan(1)
})
