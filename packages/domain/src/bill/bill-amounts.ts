import type { NodeCapacity } from '../cluster/node-offer.ts'
import type { Nanos } from './exact-money.ts'

/** Sums of lines. Billed meets the invoice, effective is what things cost; they are never added. */
export type BillAmounts = {
  readonly lines: number
  readonly billed: Nanos
  readonly effective: Nanos
  readonly list: Nanos
}

/** Machines with GPUs of one type, region and way of being paid for, in one month; or GPUs that are charged by themselves. */
export type BilledMachines = {
  readonly provider: string
  /** Empty where the bill names GPUs alone. */
  readonly instanceType: string
  /** Catalog name of the GPU where the machine's type does not say it. */
  readonly model: string | undefined
  readonly region: string
  readonly capacity: NodeCapacity
  /** `2026-07`, by the start of the charge (UTC). */
  readonly month: string
  /** GPUs that a node of such a machine offers; a part of a GPU counts as one. */
  readonly gpus: number
  /** Machine-hours. A machine whose hour stands in several lines ran that hour once. */
  readonly hours: number
  /** With the cores and the memory around the GPUs, where those are charged apart. */
  readonly amounts: BillAmounts
  /** What a fee in advance cost for these hours, where the bill spreads it over none: in the price, and in no effective cost. */
  readonly prepaid: Nanos
}

/** Money for GPUs that is in no price: of what, why, and the number of its first charge in the order of reading. */
export type UnreadGpus = {
  readonly what: string
  readonly why: string
  readonly first: number
  readonly amounts: BillAmounts
}

export const NOTHING: BillAmounts = { lines: 0, billed: 0n, effective: 0n, list: 0n }

/** With one line more. */
export const plus = (sum: BillAmounts, { billed, effective, list }: Omit<BillAmounts, 'lines'>): BillAmounts =>
  joined(sum, { lines: 1, billed, effective, list })

export const total = (all: readonly BillAmounts[]): BillAmounts => all.reduce(joined, NOTHING)

const joined = (a: BillAmounts, b: BillAmounts): BillAmounts => ({
  lines: a.lines + b.lines,
  billed: a.billed + b.billed,
  effective: a.effective + b.effective,
  list: a.list + b.list,
})
