import { type Instant, instant, ratio, seconds } from '../units.ts'
import { type GpuThere, inventoryWithin, type KnownGpus } from './known-inventory.ts'
import { mergeUsage } from './merge-usage.ts'
import { unmeasured } from './past-inventory.ts'
import { SPAN_SECONDS, type UsageRow } from './usage.ts'

/** A GPU that is known to have been there for longer than anybody saw it, in one five-minute bucket. */
export type Hole = GpuThere & {
  readonly at: Instant
  /** What is missing of it. */
  readonly seconds: number
}

/** Less than a microsecond is a rounding. */
const NOTHING = 1e-6

/** What is missing in a bucket: inventory × time less what was seen of each GPU, Σ share × present by GPU. */
export function holesIn(known: readonly KnownGpus[], at: Instant, seen: ReadonlyMap<string, number>): Hole[] {
  const window = { from: at, to: instant(at + SPAN_SECONDS['5m'] * 1000) }
  return inventoryWithin(known, window).flatMap((there) => {
    const missing = there.seconds - (seen.get(there.gpu) ?? 0)
    return missing > NOTHING ? [{ ...there, at, seconds: missing }] : []
  })
}

/**
 * The rows that close holes: `past` is what a metrics engine knows of their buckets, `stored` what is stored of them. Where it
 * knows a GPU for longer than is missing, all that it was is taken in proportion. What is still missing then is told: a row of
 * its own, not observed.
 */
export function fillHoles(
  holes: readonly Hole[],
  { past, stored }: { readonly past: readonly UsageRow[]; readonly stored: readonly UsageRow[] },
): { readonly rows: readonly UsageRow[]; readonly left: readonly Hole[] } {
  const told = Map.groupBy(past, placeOf)
  const kept = Map.groupBy(stored, placeOf)
  const closed = holes.map((hole) => {
    const known = told.get(placeOf(hole)) ?? []
    const length = known.reduce((sum, { share, present }) => sum + share * present, 0)
    const part = length > 0 ? Math.min(1, hole.seconds / length) : 0
    const left = { ...hole, seconds: hole.seconds - length * part }
    const own = (kept.get(placeOf(hole)) ?? []).filter(({ kind }) => kind !== 'unobserved')
    return {
      left,
      rows: [...(part > 0 ? mergeUsage([...own, ...known.map((row) => scaled(row, part))]) : []), unobserved(left)],
    }
  })
  return {
    rows: closed.flatMap(({ rows }) => rows),
    left: closed.flatMap(({ left }) => (left.seconds > NOTHING ? left : [])),
  }
}

const placeOf = ({ at, gpu }: Pick<UsageRow, 'at' | 'gpu'>): string => `${at} ${gpu}`

const scaled = (row: UsageRow, part: number): UsageRow => ({
  ...row,
  present: seconds(row.present * part),
  measured: seconds(row.measured * part),
  idle: seconds(row.idle * part),
  oversized: seconds(row.oversized * part),
})

/** Also without a second: one that was written before must be written over. */
const unobserved = ({ at, node, pool, machine, model, gpu, seconds: missing }: Hole): UsageRow => ({
  ...unmeasured('unobserved', undefined),
  at,
  span: '5m',
  node,
  pool,
  machine,
  model,
  gpu,
  partition: `${gpu}/unobserved`,
  share: ratio(1),
  present: seconds(missing > NOTHING ? missing : 0),
})
