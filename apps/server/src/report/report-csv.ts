import type { FigureView, ReportFile } from '@septet/contract'
import { COST_PARTS, isIdleKnown, monthsTouching, parseRange, type Window } from '@septet/domain'

import { windowFrom } from '../operations/answering/view.ts'
import type { Report } from '../operations/report/report.ts'
import { csvTable, fields, type Cell, type Columns } from './csv-table.ts'
import { focusCsv, type FocusLine } from './focus-csv.ts'

/** A value as it was answered, to the last digit; empty where it is not known. */
const valueOf = ({ value }: FigureView): Cell => value
/** Where nothing has a price it is told in GPU-hours, which are not dollars. */
const dollarsOf = ({ value, unit }: FigureView): Cell => (unit === 'USD' ? value : null)

const PARTS = ['capacity', 'unmeasured', ...COST_PARTS] as const

/** Where nothing of what was held was measured, idle and oversized time are unknown, and not 0. */
const isKnown = (part: (typeof PARTS)[number], hours: Parameters<typeof isIdleKnown>[0]): boolean =>
  (part !== 'idleHeld' && part !== 'oversized') || isIdleKnown(hours)

type CostRow = NonNullable<Report['cost']['namespace']['total']> & { readonly by: string; readonly key: string }

/** One row a namespace, model and pool, and one for all of it; cents as they add up. */
function costCsv({ cost }: Report): string {
  const cuts: readonly CostRow[] = [cost.namespace, cost.model, cost.pool].flatMap(({ by, groups }) =>
    groups.map((group) => ({ ...group, by })),
  )
  const { total } = cost.namespace
  const parts = (end: string, of: (row: CostRow, part: (typeof PARTS)[number]) => Cell): Columns<CostRow> =>
    Object.fromEntries(
      PARTS.map((part) => [`${part}_${end}`, (row) => (isKnown(part, row.gpuHours) ? of(row, part) : null)]),
    )
  return csvTable(
    {
      cut: ({ by }) => by,
      key: ({ key }) => key,
      ...parts('gpu_h', ({ gpuHours }, part) => gpuHours[part]),
      busy_of_held: ({ busy }) => busy,
      coverage: ({ coverage }) => coverage,
      unmeasured_share: ({ unmeasuredShare }) => unmeasuredShare,
      ...parts('usd', ({ usd }, part) => usd?.[part]),
    },
    total === null ? cuts : [{ by: 'all', key: '', ...total }, ...cuts],
  )
}

/**
 * The lines of the ledger, each in the month that it lies in. Those without a price are left out: an unknown price is not 0.
 * What actions saved is no line: the cost of what was there is without it already, so a credit would count it twice.
 */
function focusLines({ source, cost, range, months }: Report): FocusLine[] {
  const parsed = parseRange(range)
  const corrections = new Map(months.months.map(({ month, sealed }) => [month, sealed?.says ?? '']))
  const monthOf = monthIn(parsed?.kind === 'calendar' ? parsed.zone : 'UTC')
  return (cost.lines ?? []).flatMap(({ usd, from, to, namespace, model, pool, part, gpuHours }) => {
    const charged = windowFrom({ from, to })
    return usd === null
      ? []
      : {
          cluster: source,
          charged,
          billed: monthOf(charged),
          namespace,
          workload: '',
          model,
          pool,
          part,
          gpuHours,
          usd,
          // Months are sealed in UTC, whichever zone the bill is of.
          correction: corrections.get(from.slice(0, 7)) ?? '',
        }
  })
}

/** The month of a zone that a window lies in. */
function monthIn(zone: string): (window: Window) => Window {
  let last: Window | undefined
  return (window) => {
    if (last !== undefined && window.from >= last.from && window.to <= last.to) return last
    last = monthsTouching(zone, window)[0] ?? window
    return last
  }
}

/** One row a workload; both rates carry the whole cost of its GPUs. */
const tokensCsv = ({ tokens }: Report): string =>
  csvTable(
    {
      workload: ({ key }) => key,
      models: ({ models }) => models.join(' '),
      engines: ({ engines }) => engines.join(' '),
      prompt_tokens: ({ tokens: { prompt } }) => prompt,
      generation_tokens: ({ tokens: { generation } }) => generation,
      ...Object.fromEntries(
        (['allocated', 'busy', 'idle'] as const).flatMap((basis) => [
          [`${basis}_gpu_h`, (group: TokenGroup) => group[basis].gpuHours] as const,
          [`${basis}_usd`, (group: TokenGroup) => group[basis].usd?.toFixed(2)] as const,
        ]),
      ),
      ...Object.fromEntries(
        (['allocated', 'busy'] as const).flatMap((basis) =>
          (['prompt', 'generation', 'total'] as const).map(
            (kind) =>
              [`usd_per_million_${kind}_${basis}`, (group: TokenGroup) => group.usdPerMillion[basis][kind]] as const,
          ),
        ),
      ),
      counted: ({ counted }) => counted,
      because: ({ because }) => because.join(' '),
    },
    tokens.groups,
  )

type TokenGroup = Report['tokens']['groups'][number]

const workloadsCsv = ({ workloads }: Report): string =>
  csvTable(
    {
      ...fields('id', 'namespace', 'kind', 'name', 'class', 'status', 'gpu', 'since'),
      busy: ({ busy }) => valueOf(busy),
      gpu_h: ({ gpuHours }) => gpuHours,
      cost_usd: ({ cost }) => valueOf(cost),
      waiting: ({ waiting }) => waiting?.message,
    },
    workloads.workloads,
  )

/** One row a workload and cause; their seconds add up to the whole wait of the workloads that are listed. */
const waitsCsv = ({ waits }: Report): string =>
  csvTable(
    {
      workload: ({ id }) => id,
      ...fields('namespace', 'asks', 'cause', 'seconds'),
      gpu_h: ({ gpuHours }) => gpuHours,
      cost_usd: ({ usd }) => usd?.toFixed(2),
      waits_now: ({ cause, waitsFor }) => String(cause === waitsFor),
      change: ({ change }) => change?.sentence,
    },
    waits.workloads.flatMap(({ id, namespace, asks, waitsFor, causes }) =>
      causes.map((cause) => ({ id, namespace, asks, waitsFor, ...cause })),
    ),
  )

const partitionsCsv = ({ partitions }: Report): string =>
  csvTable(
    {
      ...fields('node', 'model', 'pool'),
      ready: ({ ready }) => String(ready),
      strategy: ({ mig }) => mig.strategy,
      config: ({ mig }) => mig.config,
      state: ({ mig }) => mig.state,
      ...fields('total', 'used', 'available'),
      utilization: ({ utilization }) => valueOf(utilization),
    },
    partitions.nodes,
  )

const trendCsv = ({ trend }: Report): string =>
  csvTable(
    {
      ...fields('at', 'busy'),
      busy_of_allocated: ({ busyOfAllocated }) => busyOfAllocated,
      ...fields('allocated', 'coverage'),
    },
    trend.points,
  )

const monthsCsv = ({ months }: Report): string =>
  csvTable(
    {
      ...fields('month', 'coverage'),
      baseline_usd: ({ baseline }) => valueOf(baseline),
      optimized_usd: ({ optimized }) => valueOf(optimized),
      savings_estimated_usd: ({ savings }) => valueOf(savings.estimated),
      savings_verified_usd: ({ savings }) => dollarsOf(savings.verified),
      capacity_freed_verified_usd: ({ savings }) => dollarsOf(savings.freed),
      sealed_at: ({ sealed }) => sealed?.at,
      sealed_usd: ({ sealed }) => sealed?.usd,
      corrections: ({ sealed }) => sealed?.says,
    },
    months.months,
  )

const findingsCsv = ({ findings }: Report): string =>
  csvTable(
    {
      ...fields('id', 'kind', 'object', 'message'),
      gpu_h: ({ gpuHours }) => gpuHours,
      usd_per_month: ({ usdPerMonth }) => usdPerMonth,
    },
    findings.findings,
  )

const recommendationsCsv = ({ recommendations }: Report): string =>
  csvTable(
    {
      ...fields('id', 'kind', 'object', 'title'),
      saving: ({ saving }) => saving.kind,
      usd_per_month: ({ saving }) => (saving.kind === 'estimated' ? saving.usdPerMonth : null),
      gpu_h_per_month: ({ saving }) => (saving.kind === 'estimated' ? saving.gpuHoursPerMonth : null),
      effect: ({ saving }) => (saving.kind === 'estimated' ? saving.effect : saving.brings),
      risk: ({ risk }) => risk?.level,
    },
    recommendations.recommendations,
  )

/** What Septet did in the window, newest first. */
const actionsCsv = ({ did }: Report): string =>
  csvTable(
    {
      action: ({ id }) => id,
      ...fields('class', 'object', 'title', 'state', 'because', 'since'),
      proposed_at: ({ proposedAt }) => proposedAt,
      proposed_by: ({ proposedBy }) => proposedBy,
      approved_by: ({ approvedBy }) => approvedBy,
      pods: ({ displaced }) => displaced.length,
    },
    did?.actions ?? [],
  )

/** One row an action: what it was estimated at, and what was realized, with the ends of the 90 % interval. */
const savingsCsv = ({ savings }: Report): string =>
  csvTable(
    {
      ...fields('action', 'title', 'object', 'effect', 'state', 'because'),
      applied_at: ({ appliedAt }) => appliedAt,
      estimated_gpu_h_per_month: ({ estimate }) => estimate?.gpuHoursPerMonth,
      estimated_usd_per_month: ({ estimate }) => estimate?.usdPerMonth,
      promised_gpu_h: ({ realized }) => realized?.promised?.gpuHours,
      promised_usd: ({ realized }) => realized?.promised?.usd,
      realized_gpu_h: ({ realized }) => realized?.gpuHours.value,
      realized_gpu_h_low: ({ realized }) => realized?.gpuHours.low,
      realized_gpu_h_high: ({ realized }) => realized?.gpuHours.high,
      realized_usd: ({ realized }) => realized?.usd?.value,
      realized_usd_low: ({ realized }) => realized?.usd?.low,
      realized_usd_high: ({ realized }) => realized?.usd?.high,
      known_hours: ({ realized }) => realized?.knownHours,
      unknown_hours: ({ realized }) => realized?.unknownHours,
      unit_of_work: ({ realized }) => realized?.work?.unit,
      units_per_gpu_h_before: ({ realized }) => realized?.work?.perGpuHour.before,
      units_per_gpu_h: ({ realized }) => realized?.work?.perGpuHour.after,
      usd_per_gpu_h: ({ price }) => price?.usdPerGpuHour,
    },
    savings?.savings ?? [],
  )

/** The tables of a report that come as a file of their own, as CSV (RFC 4180). Unknown is an empty cell, never 0. */
export const CSV_FILES = {
  focus: (report) => focusCsv(focusLines(report), '1.2'),
  'focus-1.0': (report) => focusCsv(focusLines(report), '1.0'),
  'focus-1.3': (report) => focusCsv(focusLines(report), '1.3'),
  cost: costCsv,
  tokens: tokensCsv,
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
