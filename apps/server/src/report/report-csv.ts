import type { FigureView, ReportFile } from '@septet/contract'
import { csvOf } from '@septet/contract/csv'
import { isIdleKnown } from '@septet/domain'

import type { Report } from '../operations/report/report.ts'
import { focusCsv } from './focus-csv.ts'

/** The tables of a report that come as a file of their own, as CSV (RFC 4180). Unknown is an empty cell, never 0. */
export const CSV_FILES = {
  focus: focusCsv,
  cost: costCsv,
  workloads: workloadsCsv,
  waits: waitsCsv,
  partitions: partitionsCsv,
  trend: trendCsv,
  months: monthsCsv,
  findings: findingsCsv,
  recommendations: recommendationsCsv,
  actions: actionsCsv,
  savings: savingsCsv,
} satisfies Partial<Record<ReportFile, (report: Report) => string>>

type Cell = string | number | null | undefined

const write = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  csvOf([head, ...rows.map((row) => row.map((cell) => (cell === null || cell === undefined ? '' : String(cell))))])

/** A value as it was answered, to the last digit; empty where it is not known. */
const valueOf = ({ value }: FigureView): Cell => value

/** Where nothing has a price it is told in GPU-hours, which are not dollars. */
const dollarsOf = ({ value, unit }: FigureView): Cell => (unit === 'USD' ? value : null)

const PARTS = ['capacity', 'used', 'unmeasured', 'idleHeld', 'oversized', 'unallocated', 'stranded', 'broken'] as const

/** Where nothing of what was held was measured, idle and oversized time are unknown, and not 0. */
const isKnown = (part: (typeof PARTS)[number], hours: Parameters<typeof isIdleKnown>[0]): boolean =>
  (part !== 'idleHeld' && part !== 'oversized') || isIdleKnown(hours)

/** One row a namespace, model and pool, and one for all of it; cents as they add up. */
function costCsv({ cost }: Report): string {
  const cuts = Object.values(cost).flatMap(({ by, groups }) =>
    groups.map(({ key, gpuHours, usd }) => ({ by, key, gpuHours, usd })),
  )
  const { total } = cost.namespace
  const all = total === null ? cuts : [{ by: 'all', key: '', ...total }, ...cuts]
  return write(
    ['cut', 'key', ...PARTS.map((part) => `${part}_gpu_h`), ...PARTS.map((part) => `${part}_usd`)],
    all.map(({ by, key, gpuHours, usd }) => [
      by,
      key,
      ...PARTS.map((part) => (isKnown(part, gpuHours) ? gpuHours[part] : null)),
      ...PARTS.map((part) => (isKnown(part, gpuHours) ? usd?.[part]?.toFixed(2) : null)),
    ]),
  )
}

function workloadsCsv({ workloads }: Report): string {
  return write(
    ['id', 'namespace', 'kind', 'name', 'class', 'status', 'gpu', 'since', 'busy', 'gpu_h', 'cost_usd', 'waiting'],
    workloads.workloads.map((one) => [
      one.id,
      one.namespace,
      one.kind,
      one.name,
      one.class,
      one.status,
      one.gpu,
      one.since,
      valueOf(one.busy),
      one.gpuHours,
      valueOf(one.cost),
      one.waiting?.message,
    ]),
  )
}

/** One row a workload and cause; their seconds add up to the whole wait of the workloads that are listed. */
function waitsCsv({ waits }: Report): string {
  return write(
    ['workload', 'namespace', 'asks', 'cause', 'seconds', 'gpu_h', 'cost_usd', 'waits_now', 'change'],
    waits.workloads.flatMap(({ id, namespace, asks, waitsFor, causes }) =>
      causes.map(({ cause, seconds, gpuHours, usd, change }) => [
        id,
        namespace,
        asks,
        cause,
        seconds,
        gpuHours,
        usd?.toFixed(2),
        String(cause === waitsFor),
        change?.sentence,
      ]),
    ),
  )
}

function partitionsCsv({ partitions }: Report): string {
  return write(
    ['node', 'model', 'pool', 'ready', 'strategy', 'config', 'state', 'total', 'used', 'available', 'utilization'],
    partitions.nodes.map((node) => [
      node.node,
      node.model,
      node.pool,
      String(node.ready),
      node.mig.strategy,
      node.mig.config,
      node.mig.state,
      node.total,
      node.used,
      node.available,
      valueOf(node.utilization),
    ]),
  )
}

function trendCsv({ trend }: Report): string {
  return write(
    ['at', 'busy', 'busy_of_allocated', 'allocated', 'coverage'],
    trend.points.map(({ at, busy, busyOfAllocated, allocated, coverage }) => [
      at,
      busy,
      busyOfAllocated,
      allocated,
      coverage,
    ]),
  )
}

function monthsCsv({ months }: Report): string {
  return write(
    [
      'month',
      'coverage',
      'baseline_usd',
      'optimized_usd',
      'savings_estimated_usd',
      'savings_verified_usd',
      'capacity_freed_verified_usd',
    ],
    months.months.map(({ month, coverage, baseline, optimized, savings }) => [
      month,
      coverage,
      valueOf(baseline),
      valueOf(optimized),
      valueOf(savings.estimated),
      dollarsOf(savings.verified),
      dollarsOf(savings.freed),
    ]),
  )
}

function findingsCsv({ findings }: Report): string {
  return write(
    ['id', 'kind', 'object', 'message', 'gpu_h', 'usd_per_month'],
    findings.findings.map(({ id, kind, object, message, gpuHours, usdPerMonth }) => [
      id,
      kind,
      object,
      message,
      gpuHours,
      usdPerMonth,
    ]),
  )
}

function recommendationsCsv({ recommendations }: Report): string {
  return write(
    ['id', 'kind', 'object', 'title', 'saving', 'usd_per_month', 'gpu_h_per_month', 'effect', 'risk'],
    recommendations.recommendations.map(({ id, kind, object, title, saving, risk }) => [
      id,
      kind,
      object,
      title,
      saving.kind,
      ...(saving.kind === 'estimated'
        ? [saving.usdPerMonth, saving.gpuHoursPerMonth, saving.effect]
        : [null, null, saving.brings]),
      risk?.level,
    ]),
  )
}

/** One row an action: what it was estimated at, and what was realized, with the ends of the 90 % interval. */
/** What Septet did in the window, newest first. */
function actionsCsv({ did }: Report): string {
  return write(
    [
      'action',
      'class',
      'object',
      'title',
      'state',
      'because',
      'since',
      'proposed_at',
      'proposed_by',
      'approved_by',
      'pods',
    ],
    (did?.actions ?? []).map(({ id, class: kind, object, title, state, because, since, displaced, ...by }) => [
      id,
      kind,
      object,
      title,
      state,
      because,
      since,
      by.proposedAt,
      by.proposedBy,
      by.approvedBy,
      displaced.length,
    ]),
  )
}

function savingsCsv({ savings }: Report): string {
  return write(
    [
      'action',
      'title',
      'object',
      'effect',
      'state',
      'because',
      'applied_at',
      'estimated_gpu_h_per_month',
      'estimated_usd_per_month',
      'promised_gpu_h',
      'promised_usd',
      'realized_gpu_h',
      'realized_gpu_h_low',
      'realized_gpu_h_high',
      'realized_usd',
      'realized_usd_low',
      'realized_usd_high',
      'known_hours',
      'unknown_hours',
      'unit_of_work',
      'units_per_gpu_h_before',
      'units_per_gpu_h',
      'usd_per_gpu_h',
    ],
    (savings?.savings ?? []).map(({ action, title, object, effect, state, because, appliedAt, estimate, ...rest }) => [
      action,
      title,
      object,
      effect,
      state,
      because,
      appliedAt,
      estimate?.gpuHoursPerMonth,
      estimate?.usdPerMonth,
      ...realizedCells(rest.realized),
      rest.price?.usdPerGpuHour,
    ]),
  )
}

type Realized = NonNullable<Report['savings']>['savings'][number]['realized']

/** One for each column of what was measured, and of what was promised for the same hours. */
const realizedCells = (realized: Realized): readonly Cell[] =>
  realized === null
    ? Array.from({ length: 13 }, () => null)
    : [
        realized.promised?.gpuHours,
        realized.promised?.usd,
        ...amountCells(realized.gpuHours),
        ...amountCells(realized.usd),
        realized.knownHours,
        realized.unknownHours,
        realized.work?.unit,
        realized.work?.perGpuHour.before,
        realized.work?.perGpuHour.after,
      ]

type MeasuredAmount = NonNullable<Realized>['gpuHours']

const amountCells = (amount: MeasuredAmount | null | undefined): readonly Cell[] => [
  amount?.value,
  amount?.low,
  amount?.high,
]
