import { recordOf } from '../analyze/field-values.ts'
import type { NodeCapacity } from '../cluster/node-offer.ts'
import { LIST_PRICES } from '../cost/list-prices.ts'
import { monthOf } from '../cost/months.ts'
import { compareText, instant, type Window, HOUR_MS } from '../units.ts'
import type { Nanos } from './exact-money.ts'
import type { FocusLine } from './focus-line.ts'

/**
 * What a charge is for. Each line is of one kind, so that kinds add up to the bill:
 * machines with GPUs that ran, commitments and reservations that nobody used, purchases of commitments, and the rest.
 */
export const BILL_KINDS = [
  'gpu-machine',
  'unused-commitment',
  'unused-reservation',
  'purchase',
  'other-usage',
  'tax',
  'credit',
  'adjustment',
  'correction',
] as const
export type BillKind = (typeof BILL_KINDS)[number]

/** Sums of lines. Billed meets the invoice, effective is what things cost; they are never added. */
export type BillAmounts = {
  readonly lines: number
  readonly billed: Nanos
  readonly effective: Nanos
  readonly list: Nanos
}

/** Machines with GPUs of one type, region and way of being paid for, in one month. */
export type BilledMachines = {
  readonly provider: string
  readonly instanceType: string
  readonly region: string
  readonly capacity: NodeCapacity
  /** `2026-07`, by the start of the charge (UTC). */
  readonly month: string
  /** GPUs that a node of such a machine offers; a part of a GPU counts as one. */
  readonly gpus: number
  /** Machine-hours. A machine whose hour stands in several lines ran that hour once. */
  readonly hours: number
  readonly amounts: BillAmounts
}

/** What a machine cost, by its resource and hour, for comparison with what was seen of it. */
export type BilledResource = { readonly resource: string; readonly gpuHours: number; readonly effective: Nanos }

export type Commitment = {
  readonly id: string
  /** Billed for buying it, and what of that was used and not used. */
  readonly purchased: Nanos
  readonly used: Nanos
  readonly unused: Nanos
  /** What the usage that it covered would cost at list prices. Of these lines alone: the purchase has a list cost too. */
  readonly listOfUsed: Nanos
}

export type Bill = {
  readonly currency: string
  readonly period: Window | undefined
  readonly total: BillAmounts
  readonly kinds: Readonly<Record<BillKind, BillAmounts>>
  /** Of other usage: virtual machines whose type the bill does not tell. They may have GPUs. */
  readonly untyped: BillAmounts
  readonly machines: readonly BilledMachines[]
  readonly resources: readonly BilledResource[]
  readonly commitments: readonly Commitment[]
}

/** Charges that start outside of it are not counted as a resource's. */
export type BillOptions = { readonly within?: Window }

const NOTHING: BillAmounts = { lines: 0, billed: 0n, effective: 0n, list: 0n }

/** Adds up a bill line by line. It keeps what each machine with GPUs cost, and of everything else sums alone. */
export class BillSum {
  readonly #within: Window | undefined
  readonly #kinds = new Map<BillKind, BillAmounts>()
  readonly #machines = new Map<string, BilledMachines>()
  readonly #resources = new Map<string, BilledResource>()
  readonly #commitments = new Map<string, Commitment>()
  /** Hours of each machine and charge period that are counted already. */
  readonly #hours = new Map<string, number>()
  #untyped = NOTHING
  #currency: string | undefined
  #period: Window | undefined

  constructor({ within }: BillOptions = {}) {
    this.#within = within
  }

  /** Throws where the line is in another currency than those before it: amounts of two currencies cannot be added. */
  add(line: FocusLine): void {
    this.#currency ??= line.currency
    if (line.currency !== this.#currency) {
      throw new Error(
        `The bill has charges in ${this.#currency} and in ${line.currency}, which cannot be added. Import them one by one.`,
      )
    }
    this.#period = spanning(this.#period, line.period)
    const kind = kindOfLine(line)
    this.#kinds.set(kind, plus(this.#kinds.get(kind) ?? NOTHING, line))
    if (kind === 'gpu-machine') this.#addMachine(line)
    if (kind === 'other-usage' && line.isMachine && line.instanceType === '') this.#untyped = plus(this.#untyped, line)
    this.#addCommitment(line)
  }

  done(): Bill {
    return {
      currency: this.#currency ?? '',
      period: this.#period,
      total: [...this.#kinds.values()].reduce(joined, NOTHING),
      kinds: recordOf(BILL_KINDS, (kind) => this.#kinds.get(kind) ?? NOTHING),
      untyped: this.#untyped,
      machines: [...this.#machines].toSorted(([a], [b]) => compareText(a, b)).map(([, machines]) => machines),
      resources: [...this.#resources.values()].toSorted((a, b) => compareText(a.resource, b.resource)),
      commitments: [...this.#commitments.values()].toSorted((a, b) => compareText(a.id, b.id)),
    }
  }

  #addMachine(line: FocusLine): void {
    const { provider, instanceType, region, resource, period } = line
    const [gpus, hours] = [gpusOf(line) ?? 1, this.#newHours(line)]
    const capacity = capacityOf(line)
    const month = monthOf(period.from)
    const key = JSON.stringify([month, provider, instanceType, region, capacity])
    const known = this.#machines.get(key) ?? {
      provider,
      instanceType,
      region,
      capacity,
      month,
      gpus,
      hours: 0,
      amounts: NOTHING,
    }
    this.#machines.set(key, { ...known, hours: known.hours + hours, amounts: plus(known.amounts, line) })
    if (this.#within !== undefined && (period.from < this.#within.from || period.from >= this.#within.to)) return
    const own = this.#resources.get(resource) ?? { resource, gpuHours: 0, effective: 0n }
    this.#resources.set(resource, {
      resource,
      gpuHours: own.gpuHours + hours * gpus,
      effective: own.effective + line.effective,
    })
  }

  /**
   * Hours of a line that its machine has not run by other lines of the same time: one hour is charged in two lines where a
   * commitment covers a part of it. Where a bill names no machines, each line is of others.
   */
  #newHours({ resource, period, hours = 0 }: FocusLine): number {
    const length = (period.to - period.from) / HOUR_MS
    const key = `${resource}\u0000${period.from}`
    const before = this.#hours.get(key) ?? 0
    const after = resource === '' ? before + hours : Math.min(Math.max(length, 0), before + hours)
    this.#hours.set(key, after)
    return after - before
  }

  #addCommitment({ commitment, category, isCorrection, billed, effective, list }: FocusLine): void {
    if (commitment === undefined || isCorrection || (category !== 'Usage' && category !== 'Purchase')) return
    const { id, status } = commitment
    const known = this.#commitments.get(id) ?? { id, ...UNTOUCHED }
    const part = category === 'Purchase' ? 'purchased' : status === 'Unused' ? 'unused' : 'used'
    this.#commitments.set(id, {
      ...known,
      [part]: known[part] + (part === 'purchased' ? billed : effective),
      listOfUsed: known.listOfUsed + (part === 'used' ? list : 0n),
    })
  }
}

const UNTOUCHED = { purchased: 0n, used: 0n, unused: 0n, listOfUsed: 0n }

const plus = (sum: BillAmounts, { billed, effective, list }: FocusLine): BillAmounts =>
  joined(sum, { lines: 1, billed, effective, list })

const joined = (a: BillAmounts, b: BillAmounts): BillAmounts => ({
  lines: a.lines + b.lines,
  billed: a.billed + b.billed,
  effective: a.effective + b.effective,
  list: a.list + b.list,
})

const spanning = (before: Window | undefined, { from, to }: Window): Window =>
  before === undefined
    ? { from, to }
    : { from: instant(Math.min(before.from, from)), to: instant(Math.max(before.to, to)) }

const OF_CATEGORY = {
  Purchase: 'purchase',
  Tax: 'tax',
  Credit: 'credit',
  Adjustment: 'adjustment',
} as const

function kindOfLine(line: FocusLine): BillKind {
  // It belongs to a month that is over: in the price of this one it would be a lie.
  if (line.isCorrection) return 'correction'
  if (line.category !== 'Usage') return OF_CATEGORY[line.category]
  if (line.commitment?.status === 'Unused') return 'unused-commitment'
  if (line.reservation?.status === 'Unused') return 'unused-reservation'
  return gpusOf(line) === undefined || line.hours === undefined ? 'other-usage' : 'gpu-machine'
}

const GPUS: ReadonlyMap<string, number> = new Map(
  LIST_PRICES.map(({ machine, gpus }) => [machine.toLowerCase(), Math.max(1, gpus)]),
)

/** GPUs in the machine of a line, by the bill, else by our list of machines; undefined where it has none or nobody knows. */
const gpusOf = ({ gpus, instanceType }: FocusLine): number | undefined =>
  gpus === undefined ? GPUS.get(instanceType.toLowerCase()) : Math.max(1, gpus)

/** Commitments are no capacity type: which hours they cover is decided after the fact, so they are spread over all. */
const capacityOf = ({ pricing, reservation }: FocusLine): NodeCapacity =>
  pricing === 'Dynamic' ? 'spot' : reservation === undefined ? 'on-demand' : 'reserved'
