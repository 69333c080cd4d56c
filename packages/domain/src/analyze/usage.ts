import type { Instant, Ratio, Seconds, Window } from '../units.ts'
import { type Measure, MEASURES, type Measurements, type Peaks } from './field-values.ts'
import type { QualityReason } from './sample.ts'

/** Length of the bucket a usage row covers. */
export type Span = '5m' | '1h' | '1d'
export const SPAN_SECONDS = { '5m': 300, '1h': 3600, '1d': 86_400 } satisfies Record<Span, number>

/**
 * What a row's share of a GPU was doing:
 * `held` by a pod, `free` in a usable shape (an unheld partition, or uncut space that a profile fits),
 * `stranded` (free in a shape no profile can use), `unrequested` (busy with something that no request of a pod explains),
 * `down` (broken: the node not ready, the device withheld, or free with a fault), or `unobserved` (known to be there, and
 * nobody saw what it did).
 */
export const USAGE_KINDS = ['held', 'free', 'stranded', 'unrequested', 'down', 'unobserved'] as const
export type UsageKind = (typeof USAGE_KINDS)[number]
/** All but what nobody saw. */
export const SEEN_KINDS = USAGE_KINDS.filter((kind) => kind !== 'unobserved')

/**
 * One stretch of one part of one GPU in one time bucket. For each GPU and bucket the rows' `share × present`
 * add up to the seconds that the GPU was known, so shares, hours and money always add up.
 */
export type UsageRow = Measurements & {
  readonly at: Instant
  readonly span: Span
  readonly node: string
  readonly pool: string
  readonly gpu: string
  /** Partition id; the GPU's id with `/uncut` or `/stranded` for space that is not a partition. */
  readonly partition: string
  /** Empty for a whole GPU, a shared replica or uncut space. */
  readonly profile: string
  /** Catalog name, or the product as labelled for a board we do not know. */
  readonly model: string
  readonly kind: UsageKind
  /** What its node is paid as, see `machineOf`; empty where that is not known. */
  readonly machine: string
  /** Which part of the GPU this is, 0–1: compute slices of the profile over those of the board; 1/replicas if shared. */
  readonly share: Ratio
  /** Holder, the last two by id (`namespace/Kind/name`, `namespace/name`); all three empty unless `kind` is `held`. */
  readonly namespace: string
  readonly workload: string
  readonly pod: string
  /** Class of the holder's work; empty unless held. */
  readonly workloadClass: string
  /** Seconds of the bucket that this row stands for. */
  readonly present: Seconds
  /** Seconds with a trustworthy busy value; 0 ≤ measured ≤ present. */
  readonly measured: Seconds
  /** Seconds of `present` that were idle-held: held, and busy at most the threshold for the policy's minimum stretch. */
  readonly idle: Seconds
  /** Seconds of `measured` less `idle` that a smaller profile would have saved, by the size that was in force then. */
  readonly oversized: Seconds
  /** Why `measured` is short of `present`; undefined when it is not. */
  readonly reason: QualityReason | undefined
}

/** Completes a row that was just made, in place, with what is measured. */
export function completeRow(
  row: Omit<UsageRow, Measure['name']>,
  valueOf: (measure: Measure) => number | undefined,
): UsageRow
export function completeRow(row: Record<string, unknown>, valueOf: (measure: Measure) => number | undefined): object {
  for (const measure of MEASURES) row[measure.name] = valueOf(measure)
  return row
}

/** Fields that totals can be grouped by. `at` groups by bucket. */
export const USAGE_GROUPS = [
  'at',
  'node',
  'pool',
  'gpu',
  'partition',
  'profile',
  'model',
  'machine',
  'kind',
  'namespace',
  'workload',
  'workloadClass',
  'reason',
] as const
export type UsageGroup = (typeof USAGE_GROUPS)[number]

/** Sums over usage rows; ratios are made from sums, never as means of percentages. GPU-seconds are share × seconds. */
export type UsageTotal = Peaks & {
  /** Values of the grouped fields, as text (`at` as milliseconds). */
  readonly key: Readonly<Partial<Record<UsageGroup, string>>>
  /** Σ share × present. */
  readonly gpuSeconds: number
  /** Σ share × measured. */
  readonly measuredGpuSeconds: number
  /** Σ share × measured × busy. */
  readonly busyGpuSeconds: number
  /** Σ share × measured of rows that have `effective`, and Σ share × measured × effective of the same. */
  readonly effectiveMeasuredGpuSeconds: number
  readonly effectiveGpuSeconds: number
  /** Σ share × idle. */
  readonly idleGpuSeconds: number
  /** Σ share × oversized. */
  readonly oversizedGpuSeconds: number
  /** Σ present, of time alone. */
  readonly seconds: number
  readonly measuredSeconds: number
  readonly rows: number
}

export type UsageQuery = {
  readonly cluster: string
  readonly span: Span
  readonly window: Window
  /** Only rows held by these workloads; left out: all rows. */
  readonly workloads?: readonly string[]
  /** Only rows held in these namespaces; left out: all rows. An empty name is not a namespace and matches nothing. */
  readonly namespaces?: readonly string[]
  /** Only rows of these GPUs; left out: all rows. */
  readonly gpus?: readonly string[]
}
export type TotalsQuery = UsageQuery & {
  readonly by: readonly UsageGroup[]
  readonly kinds?: readonly UsageKind[]
}
