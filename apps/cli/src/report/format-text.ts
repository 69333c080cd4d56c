import { busyAlone, busyOf, measuredWords } from '@septet/contract/busy-words'
import { cents, duration, percent, plural } from '@septet/domain/words'
import {
  compareText,
  type ClusterAnalysis,
  type CauseWait,
  columnToCents,
  type CostParts,
  type CostGroup,
  type Figure,
  type Parts,
  QUALITY_REASONS,
  WAIT_CAUSES,
  wasteOf,
  type WaitLedger,
} from '@septet/domain'

import { textTable, type ReportColumn } from './table.ts'

const PARTS = [
  ['used', 'Used'],
  ['idleHeld', 'Idle-held'],
  ['oversized', 'Oversized'],
  ['unallocated', 'Unallocated'],
  ['stranded', 'Stranded'],
  ['broken', 'Broken'],
  ['unrequested', 'Used without a request'],
  ['unobserved', 'Not observed'],
] as const satisfies ReadonlyArray<readonly [keyof Parts<never>, string]>

const ROWS_SHOWN = 20
const NO_USAGE =
  'No usage is known in this window, so nothing is said about time and money. Name the API that holds the metrics of dcgm-exporter with --prometheus, or see since when it has scraped them.'

/** The report as text for a terminal: what a manager would ask, in GPU-hours and money, with what is not known. */
export function formatText(analysis: ClusterAnalysis, waits?: WaitLedger): string {
  return [
    ...heading(analysis),
    '',
    ...capacityLines(analysis),
    '',
    ...(analysis.observed === undefined ? [] : costLines(analysis)),
    ...(waits === undefined ? [] : waitLines(waits)),
    ...quality(analysis),
    '',
    ...prices(analysis),
    '',
  ].join('\n')
}

const costLines = ({ cost }: ClusterAnalysis): string[] => [
  ...whereItWent(cost.fleet),
  '',
  ...costTable('By namespace', { rows: cost.byNamespace, fleet: cost.fleet, emptyKey: 'unallocated' }),
  '',
  ...costTable('By model', { rows: cost.byModel, fleet: cost.fleet, emptyKey: 'unknown board' }),
  '',
]

/** What a single look tells of it: a Septet that runs knows more, for it has watched. */
function waitLines(waits: WaitLedger): string[] {
  if (waits.causes.length === 0) return []
  const columns: ReportColumn<CauseWait>[] = [
    { title: 'Waited for', text: ({ cause }) => WAIT_CAUSES[cause].name },
    { title: 'Time', text: ({ seconds }) => duration(seconds), right: true },
    { title: 'GPU-h', text: (row) => (isUnsized(row) ? 'unknown' : number(row.gpuHours)), right: true },
    { title: 'Price', text: priceOfWait, right: true },
    { title: 'Cheapest change that would end most of it', text: ({ change }) => change?.sentence ?? '' },
  ]
  return [
    ...textTable(waits.causes, columns),
    `In total: ${duration(waits.seconds)} from creation to binding, ${number(waits.gpuHours)} GPU-h.`,
    'The price is of the GPUs that were waited for, not money lost in a bill. A running pod no longer shows why it waited; a running Septet records it.',
    '',
  ]
}

const isUnsized = ({ seconds, unsizedSeconds }: CauseWait): boolean => unsizedSeconds === seconds

function priceOfWait(row: CauseWait): string {
  if (isUnsized(row)) return 'unknown'
  return money(row.unpricedGpuHours === row.gpuHours ? undefined : row.usd)
}

function heading({ cluster, window, observed, asOf }: ClusterAnalysis): string[] {
  const partial = observed !== undefined && observed.from - window.from > 3_600_000
  return [
    `GPU report of ${cluster}`,
    `${isoMinute(window.from)} to ${isoMinute(window.to)} UTC, snapshot of ${isoMinute(asOf)}`,
    ...(observed === undefined ? [NO_USAGE] : []),
    ...(partial ? [`Usage is known from ${isoMinute(observed.from)} only.`] : []),
  ]
}

function capacityLines({ capacity, utilization, queue, mig, policy }: ClusterAnalysis): string[] {
  const idle = `busy ≤ ${percent(policy.idle.threshold)} for ≥ ${policy.idle.minimum / 60} min`
  const lines: [string, string][] = [
    ['GPUs', `${capacity.readyGpus} ready of ${capacity.gpus}, on ${plural(capacity.nodes, 'node')}`],
    ['Models', capacity.models.map(({ model, gpus }) => `${gpus} × ${model}`).join(', ')],
    ['Allocated', figure(utilization.allocation, percent)],
    ['Busy', busyWords(utilization)],
    ['Effective (SM active)', figure(utilization.effective, percent)],
    ['Idle-held', `${figure(utilization.idleHeld, hours)} (${idle})`],
    ['Unallocated', figure(utilization.unallocated, hours)],
    ['Stranded by MIG', figure(utilization.stranded, hours)],
    ['MIG slices', migWords(mig)],
    [
      'Workloads',
      `${queue.runningWorkloads} running, ${queue.pendingWorkloads} queued (${queue.unmet.map(({ resource, count }) => `${count} × ${resource}`).join(', ') || 'nothing asked for'})`,
    ],
  ]
  const width = Math.max(...lines.map(([label]) => label.length))
  return lines.map(([label, text]) => `${label.padEnd(width)}  ${text}`)
}

function busyWords({ busy, busyOfAllocated }: ClusterAnalysis['utilization']): string {
  if (busy.kind === 'unknown' && busyOfAllocated.kind === 'unknown') return notMeasured
  return `${figure(busy, percent)} of capacity, ${figure(busyOfAllocated, percent)} of what is allocated`
}

function migWords({ sliceCoverage, sliceAllocation, fragmentation }: ClusterAnalysis['mig']): string {
  if (sliceCoverage.kind === 'unknown') return sliceCoverage.because
  return `${percent(sliceCoverage.value)} partitioned, ${figure(sliceAllocation, percent)} of those allocated, fragmentation ${figure(fragmentation, percent)}`
}

function whereItWent(cost: CostParts): string[] {
  const shown = cost.money ?? cost.hours
  const amounts = new Map(
    columnToCents(
      PARTS.map(([part]) => cost.money?.[part]),
      cost.money?.capacity,
    ).map((amount, row) => [PARTS[row]?.[0], amount]),
  )
  const share = (part: (typeof PARTS)[number][0]): string =>
    shown.capacity > 0 ? percent(shown[part] / shown.capacity) : notMeasured
  const columns: ReportColumn<(typeof PARTS)[number]>[] = [
    { title: 'Where capacity went', text: ([, name]) => name },
    { title: 'GPU-h', text: ([part]) => number(cost.hours[part]), right: true },
    { title: 'Cost', text: ([part]) => money(amounts.get(part)), right: true },
    { title: cost.money === undefined ? 'Of GPU-h' : 'Of cost', text: ([part]) => share(part), right: true },
  ]
  const total = `Capacity: ${number(cost.hours.capacity)} GPU-h, ${money(cost.money?.capacity)}`
  const notes = [
    ...(cost.hours.unmeasured > 0
      ? [
          `Of used, ${number(cost.hours.unmeasured)} GPU-h (${money(cost.money?.unmeasured)}) were allocated but not measured reliably.`,
        ]
      : []),
    ...(cost.unpriced > 0 ? [`${number(cost.unpriced)} GPU-h have no price and are not in the amounts.`] : []),
  ]
  return [...textTable(PARTS, columns), total, ...notes]
}

type CostRows = { readonly rows: readonly CostGroup[]; readonly fleet: CostParts; readonly emptyKey: string }

function costTable(title: string, { rows, fleet, emptyKey }: CostRows): string[] {
  const column = (
    of: (parts: NonNullable<CostParts['money']>) => number,
  ): ReadonlyMap<CostGroup, number | undefined> => {
    const amounts = columnToCents(
      rows.map(({ cost }) => cost.money && of(cost.money)),
      fleet.money && of(fleet.money),
    )
    return new Map(rows.map((row, order) => [row, amounts[order]]))
  }
  const [costs, wastes] = [column(({ capacity }) => capacity), column(wasteOf)]
  const shown = rows
    .toSorted((a, b) => b.cost.hours.capacity - a.cost.hours.capacity || compareText(a.key, b.key))
    .slice(0, ROWS_SHOWN)
  const columns: ReportColumn<CostGroup>[] = [
    { title, text: ({ key }) => (key === '' ? `(${emptyKey})` : key) },
    { title: 'GPU-h', text: ({ cost }) => number(cost.hours.capacity), right: true },
    { title: 'Busy of held', text: (group) => busyAlone(busyOf(group)), right: true },
    { title: 'Measured', text: (group) => measuredWords(busyOf(group)), right: true },
    { title: 'Idle-held GPU-h', text: ({ cost }) => number(cost.hours.idleHeld), right: true },
    { title: 'Cost', text: (group) => money(costs.get(group)), right: true },
    { title: 'Waste', text: (group) => money(wastes.get(group)), right: true },
  ]
  const more = rows.length - shown.length
  return [...textTable(shown, columns), ...(more > 0 ? [`… and ${more} more; --format csv has them all`] : [])]
}

function quality({ quality: found, problems }: ClusterAnalysis): string[] {
  const reasons = found.unmeasured.map(
    ({ reason, hours: length }) => `  ${number(length)} GPU-h: ${QUALITY_REASONS[reason]}`,
  )
  return [
    found.coverage.kind === 'known'
      ? `Data quality: ${percent(found.coverage.value)} of the held time is measured.`
      : 'Data quality: no held time is known in this window.',
    ...reasons,
    ...found.sentences.map((sentence) => `  ${sentence}`),
    ...problems.slice(0, ROWS_SHOWN).map(({ message }) => `  ${message}`),
    ...(problems.length > ROWS_SHOWN
      ? [`  … and ${problems.length - ROWS_SHOWN} more problems; --format json has them all`]
      : []),
  ]
}

function prices({ cost }: ClusterAnalysis): string[] {
  const lines = cost.prices.map(({ model, price }) =>
    price.kind === 'known'
      ? `  ${model}: $${price.price.toFixed(2)}/GPU-h, ${price.source}, ${isoMinute(price.asOf).slice(0, 10)}`
      : `  ${model}: no price (${price.because})`,
  )
  return ['Prices', ...new Set(lines)]
}

const notMeasured = 'not measured'
const figure = <Unit extends number>(value: Figure<Unit>, show: (number: number) => string): string =>
  value.kind === 'known' ? show(value.value) : notMeasured
const number = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: 1, minimumFractionDigits: 1 })
const hours = (value: number): string => `${number(value)} GPU-h`
const money = (amount: number | undefined): string => (amount === undefined ? 'no price' : cents(amount))
const isoMinute = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ')
