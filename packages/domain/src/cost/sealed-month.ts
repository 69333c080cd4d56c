import { recordOf } from '../analyze/field-values.ts'
import type { Instant } from '../units.ts'
import { COST_PARTS, type CostPart, type CostParts } from './cost-parts.ts'

/** GPU-hours and dollars by part. Dollars are 0 where nothing has a price, as then there is nothing to correct. */
export type LedgerSums = Readonly<Record<CostPart, { readonly gpuHours: number; readonly usd: number }>>

/** What was learned of a month after it was sealed: by how much it changed each part, and why. */
type Correction = { readonly at: Instant; readonly reason: string; readonly change: LedgerSums }

/** A month (UTC) that is over, as it stood when it was sealed. What it is now is that and its corrections. */
export type SealedMonth = {
  /** `2026-10`. */
  readonly month: string
  readonly sealedAt: Instant
  readonly sums: LedgerSums
  /** Of the ledger's lines, by day: the same digest is the same month, line by line. */
  readonly digest: string
  readonly corrections: readonly Correction[]
}

/** The sums of a cost. */
export const ledgerSums = ({ hours, money }: CostParts): LedgerSums =>
  recordOf(COST_PARTS, (part) => ({ gpuHours: hours[part], usd: money?.[part] ?? 0 }))

/** The sealed sums with all corrections: what the month comes to. */
export const correctedSums = ({ sums, corrections }: SealedMonth): LedgerSums =>
  corrections.reduce((all, { change }) => combined(all, change, 1), sums)

/** All parts together. */
export const totalOf = (sums: LedgerSums): { readonly gpuHours: number; readonly usd: number } => ({
  gpuHours: COST_PARTS.reduce((sum, part) => sum + sums[part].gpuHours, 0),
  usd: COST_PARTS.reduce((sum, part) => sum + sums[part].usd, 0),
})

/** Less is the rounding of sums that are made in another order. */
const NOTHING = 1e-5

type Found = {
  readonly sums: LedgerSums
  readonly digest: string
  readonly at: Instant
  readonly reason: string
}

/** A sealed month beside what its lines come to now: what differs is a correction. The same object where nothing does. */
export function withCorrection(sealed: SealedMonth, { sums, digest, at, reason }: Found): SealedMonth {
  const change = combined(sums, correctedSums(sealed), -1)
  const isSame = COST_PARTS.every(
    (part) => Math.abs(change[part].gpuHours) < NOTHING && Math.abs(change[part].usd) < NOTHING,
  )
  if (isSame && digest === sealed.digest) return sealed
  return { ...sealed, digest, corrections: [...sealed.corrections, { at, reason, change }] }
}

const combined = (a: LedgerSums, b: LedgerSums, sign: 1 | -1): LedgerSums =>
  recordOf(COST_PARTS, (part) => ({
    gpuHours: a[part].gpuHours + sign * b[part].gpuHours,
    usd: a[part].usd + sign * b[part].usd,
  }))
