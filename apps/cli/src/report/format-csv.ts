import { busyOf } from '@septet/contract/busy-words'
import { csvOf } from '@septet/contract/csv'
import type { ClusterAnalysis, CostParts, CostGroup } from '@septet/domain'

/** Parts of the capacity, in the order of their columns; hours have one more than money. */
const MONEY = {
  capacity: 'capacity',
  used: 'used',
  idleHeld: 'idle_held',
  oversized: 'oversized',
  unallocated: 'unallocated',
  stranded: 'stranded',
  broken: 'broken',
  unrequested: 'unrequested',
  unobserved: 'unobserved',
} as const satisfies Partial<Record<keyof CostParts['hours'], string>>
const { capacity, used, ...rest } = MONEY
const HOURS = { capacity, used, unmeasured: 'unmeasured', ...rest } as const

const HEAD = [
  'cut',
  'key',
  ...Object.values(HOURS).map((part) => `${part}_gpu_h`),
  'busy_of_held',
  'coverage',
  'unmeasured_share',
  ...Object.values(MONEY).map((part) => `${part}_usd`),
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

const rowsOf = (cut: string, rows: readonly CostGroup[]): (string | number)[][] =>
  rows.map((group) => {
    const { busy, coverage, unmeasuredShare } = busyOf(group)
    const shares = [busy, coverage, unmeasuredShare].map((share) => share ?? '')
    return [cut, group.key, ...hoursOf(group.cost), ...shares, ...moneyOf(group.cost)]
  })

const hoursOf = ({ hours }: CostParts): number[] => keysOf(HOURS).map((part) => hours[part])
const moneyOf = ({ money }: CostParts): (string | number)[] => keysOf(MONEY).map((part) => money?.[part] ?? '')

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of this very object
const keysOf = <Name extends string>(of: Readonly<Record<Name, string>>) => Object.keys(of) as Name[]
