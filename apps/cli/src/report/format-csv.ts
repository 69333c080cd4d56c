import { csvOf } from '@septet/contract/csv'
import type { ClusterAnalysis, CostParts, CostRow } from '@septet/domain'

const HEAD = [
  'cut',
  'key',
  'capacity_gpu_h',
  'used_gpu_h',
  'unmeasured_gpu_h',
  'idle_held_gpu_h',
  'oversized_gpu_h',
  'unallocated_gpu_h',
  'stranded_gpu_h',
  'broken_gpu_h',
  'busy_of_held',
  'capacity_usd',
  'used_usd',
  'idle_held_usd',
  'oversized_usd',
  'unallocated_usd',
  'stranded_usd',
  'broken_usd',
]

const UNKNOWN_FLEET = HEAD.map((title) => (title === 'cut' ? 'fleet' : ''))

/** The report as CSV (RFC 4180): one row for the fleet, then one a namespace, model, pool and node. Unknown is empty. */
export function formatCsv({ cost, utilization, observed }: ClusterAnalysis): string {
  const fleet = { key: '', cost: cost.fleet, busyOfAllocated: utilization.busyOfAllocated }
  const rows = [
    ...(observed === undefined ? [UNKNOWN_FLEET] : rowsOf('fleet', [fleet])),
    ...rowsOf('namespace', cost.byNamespace),
    ...rowsOf('model', cost.byModel),
    ...rowsOf('pool', cost.byPool),
    ...rowsOf('node', cost.byNode),
  ]
  return csvOf([HEAD, ...rows.map((row) => row.map(String))])
}

const rowsOf = (cut: string, rows: readonly CostRow[]): (string | number)[][] =>
  rows.map(({ key, cost, busyOfAllocated }) => [
    cut,
    key,
    ...hoursOf(cost),
    busyOfAllocated.kind === 'known' ? busyOfAllocated.value : '',
    ...moneyOf(cost),
  ])

const hoursOf = ({ hours }: CostParts): number[] => [
  hours.capacity,
  hours.used,
  hours.unmeasured,
  hours.idleHeld,
  hours.oversized,
  hours.unallocated,
  hours.stranded,
  hours.broken,
]

const MONEY = ['capacity', 'used', 'idleHeld', 'oversized', 'unallocated', 'stranded', 'broken'] as const

const moneyOf = ({ money }: CostParts): (string | number)[] => MONEY.map((part) => money?.[part].toFixed(2) ?? '')
