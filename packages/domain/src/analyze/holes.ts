import { type Instant, instant, ratio, seconds } from '../units.ts'
import { type GpuThere, inventoryWithin, type KnownGpus } from './known-inventory.ts'
import { mergeUsage } from './merge-usage.ts'
import { unmeasured } from './past-inventory.ts'
import { SPAN_SECONDS, type UsageRow } from './usage.ts'

/** One known GPU in one five-minute bucket that does not add up to the time that it was there. */
export type Hole = GpuThere & {
  readonly at: Instant
  /** What is missing of it; less than 0: what was seen beyond the time that it was there. */
  readonly seconds: number
}

/** Less than a microsecond is a rounding. */
const NOTHING = 1e-6

/** GPU-seconds of each GPU in a bucket (Σ share × present): what was seen, and what is told as not observed. */
export type Told = { readonly seen: ReadonlyMap<string, number>; readonly unobserved: ReadonlyMap<string, number> }

/**
 * What does not add up in a bucket: inventory × time less what was seen of each GPU. More than it was there was seen where a
 * clock went back, or where another took its place between two readings; what was told as not observed may have been seen
 * since.
 */
export function holesIn(known: readonly KnownGpus[], at: Instant, { seen, unobserved }: Told): Hole[] {
  const window = { from: at, to: instant(at + SPAN_SECONDS['5m'] * 1000) }
  const within = inventoryWithin(known, window)
  const names = new Set(within.map(({ gpu }) => gpu))
  const beyond = [...seen.keys()].filter((gpu) => !names.has(gpu))
  return [...within, ...placesOf(known, beyond)].flatMap((there) => {
    const missing = there.seconds - (seen.get(there.gpu) ?? 0)
    const isWhole = Math.abs(missing) <= NOTHING && (unobserved.get(there.gpu) ?? 0) <= NOTHING
    return isWhole ? [] : [{ ...there, at, seconds: missing }]
  })
}

/** Known GPUs of a time in which they were not there. */
function placesOf(known: readonly KnownGpus[], gpus: readonly string[]): readonly GpuThere[] {
  return gpus.flatMap((gpu) => {
    const group = known.find((each) => each.gpus.includes(gpu))
    if (group === undefined) return []
    const { node, pool, machine, model } = group
    return [{ node, pool, machine, model, gpu, seconds: 0 }]
  })
}

/** Whether there is anything of it that a metrics engine may know. */
export const isMissing = ({ seconds: missing }: Hole): boolean => missing > NOTHING

/**
 * The rows that close holes: `past` is what a metrics engine knows of their buckets, `stored` what is stored of them. Where it
 * knows a GPU for longer than is missing, all that it was is taken in proportion. What is still missing then is told: a row of
 * its own, not observed. What was seen for longer than the GPU was there is taken in proportion too.
 */
export function fillHoles(
  holes: readonly Hole[],
  { past, stored }: { readonly past: readonly UsageRow[]; readonly stored: readonly UsageRow[] },
): { readonly rows: readonly UsageRow[]; readonly left: readonly Hole[] } {
  const told = Map.groupBy(past, placeOf)
  const kept = Map.groupBy(stored, placeOf)
  const closed = holes.map((hole) => {
    const own = (kept.get(placeOf(hole)) ?? []).filter(({ kind }) => kind !== 'unobserved')
    const known = told.get(placeOf(hole)) ?? []
    const length = lengthOf(known)
    const part = length > 0 && isMissing(hole) ? Math.min(1, hole.seconds / length) : 0
    const left = { ...hole, seconds: Math.max(0, hole.seconds - length * part) }
    const filled = part > 0 ? mergeUsage([...own, ...known.map((row) => scaled(row, part))]) : []
    return { left, rows: [...filled, ...cut(own, hole), unobserved(left)] }
  })
  return {
    rows: closed.flatMap(({ rows }) => rows),
    left: closed.flatMap(({ left }) => (isMissing(left) ? left : [])),
  }
}

/** Rows that hold more than was there, in proportion. */
function cut(rows: readonly UsageRow[], { seconds: missing }: Hole): readonly UsageRow[] {
  const length = lengthOf(rows)
  return missing < -NOTHING && length > 0 ? rows.map((row) => scaled(row, (length + missing) / length)) : []
}

const lengthOf = (rows: readonly UsageRow[]): number =>
  rows.reduce((sum, { share, present }) => sum + share * present, 0)

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
