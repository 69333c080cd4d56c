import { recordOf } from '../analyze/field-values.ts'
import type { NodeCapacity } from '../cluster/node-offer.ts'
import { monthOf } from '../cost/months.ts'
import { compareText, instant, type Window, HOUR_MS } from '../units.ts'
import { type BillAmounts, type BilledMachines, NOTHING, plus, total, type UnreadGpus } from './bill-amounts.ts'
import { type Charged, chargedFor } from './charged-for.ts'
import type { Nanos } from './exact-money.ts'
import type { FocusLine } from './focus-line.ts'
import { type Block, type Group, type Host, joinCharges } from './join-charges.ts'
import { gpusOfMachine } from './machine-gpus.ts'
import { lastPart } from './resource-name.ts'

/**
 * What a charge is for. Each line is of one kind, so that kinds add up to the bill: machines with GPUs that ran, money for
 * GPUs of which no price can be made, commitments and reservations that nobody used, purchases of commitments, and the rest.
 */
export const BILL_KINDS = [
  'gpu-machine',
  'unpriced-gpu',
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
  /** All usage of machines, and of it those whose type the bill does not tell. They may have GPUs. */
  readonly compute: BillAmounts
  readonly untyped: BillAmounts
  readonly unread: readonly UnreadGpus[]
  readonly machines: readonly BilledMachines[]
  readonly resources: readonly BilledResource[]
  readonly commitments: readonly Commitment[]
}

/** Charges that start outside of it are not counted as a resource's. */
export type BillOptions = { readonly within?: Window }

/** Adds up a bill line by line. It keeps what each machine with GPUs cost, and of everything else sums alone. */
export class BillSum {
  readonly #within: Window | undefined
  readonly #kinds = new Map<BillKind, BillAmounts>()
  readonly #groups = new Map<string, Group>()
  readonly #hosts = new Map<string, Host>()
  readonly #blocks = new Map<string, Block>()
  readonly #unread = new Map<string, UnreadGpus>()
  readonly #resources = new Map<string, BilledResource>()
  readonly #commitments = new Map<string, Commitment>()
  /** Hours of each machine and charge period that are counted already. */
  readonly #hours = new Map<string, number>()
  #compute = NOTHING
  #untyped = NOTHING
  #currency: string | undefined
  #period: Window | undefined

  constructor({ within }: BillOptions = {}) {
    this.#within = within
  }

  /**
   * `charge` is the number of the line. Throws where the line is in another currency than those before it: amounts of two
   * currencies cannot be added.
   */
  add(line: FocusLine, charge: number): void {
    this.#currency ??= line.currency
    refuseOtherCurrency(this.#currency, line.currency)
    this.#period = spanning(this.#period, line.period)
    this.#addCommitment(line)
    const plain = plainKind(line)
    if (plain !== undefined) return this.#count(plain, line)
    const charged = chargedFor(line)
    if (line.category === 'Usage' && (line.isCompute || IS_COMPUTE.has(charged.kind))) {
      this.#compute = plus(this.#compute, line)
    }
    if (charged.kind === 'other' && charged.isUntyped === true) this.#untyped = plus(this.#untyped, line)
    this.#addCharged(line, charged, charge)
  }

  #addCharged(line: FocusLine, charged: Charged, first: number): void {
    switch (charged.kind) {
      case 'machine':
        return this.#addGpus(line, { ...charged, model: undefined, hours: this.#newHours(line, charged.hours) }, first)
      case 'gpu':
        return this.#addGpus(line, machinesWith(charged), first)
      case 'host':
        return this.#addHost(line, charged.family, first)
      case 'block':
        return this.#addBlock(line, charged, first)
      case 'unread':
        return addUnread(this.#unread, { ...charged, first, amounts: plus(NOTHING, line) })
      case 'other':
        return this.#count(charged.as, line)
    }
  }

  done(): Bill {
    const joined = joinCharges([...this.#groups.values()], [...this.#hosts.values()], [...this.#blocks.values()])
    for (const unread of joined.unread) addUnread(this.#unread, unread)
    for (const [resource, effective] of joined.ofResources) {
      const known = this.#resources.get(resource)
      if (known) this.#resources.set(resource, { ...known, effective: known.effective + effective })
    }
    const late: Partial<Record<BillKind, BillAmounts>> = {
      'gpu-machine': total(joined.machines.map(({ amounts }) => amounts)),
      'unpriced-gpu': total([...this.#unread.values()].map(({ amounts }) => amounts)),
      'other-usage': joined.otherUsage,
      purchase: joined.purchases,
    }
    const kinds = recordOf(BILL_KINDS, (kind) => total([this.#kinds.get(kind) ?? NOTHING, late[kind] ?? NOTHING]))
    return {
      currency: this.#currency ?? '',
      period: this.#period,
      total: total(Object.values(kinds)),
      kinds,
      compute: this.#compute,
      untyped: this.#untyped,
      unread: [...this.#unread.values()].toSorted((a, b) => a.first - b.first),
      machines: joined.machines,
      resources: [...this.#resources.values()].toSorted((a, b) => compareText(a.resource, b.resource)),
      commitments: [...this.#commitments.values()].toSorted((a, b) => compareText(a.id, b.id)),
    }
  }

  #count(kind: BillKind, line: FocusLine): void {
    this.#kinds.set(kind, plus(this.#kinds.get(kind) ?? NOTHING, line))
  }

  #addGpus(line: FocusLine, of: Pick<Group, 'instanceType' | 'model' | 'gpus' | 'hours'>, first: number): void {
    const { provider, region, resource, period } = line
    const [capacity, month, gpuHours] = [capacityOf(line), monthOf(period.from), of.hours * of.gpus]
    const key = JSON.stringify([month, provider, of.instanceType, of.model, region, capacity])
    const group =
      this.#groups.get(key) ??
      ({
        provider,
        instanceType: of.instanceType,
        model: of.model,
        region,
        capacity,
        month,
        gpus: of.gpus,
        hours: 0,
        amounts: NOTHING,
        prepaid: 0n,
        first,
        reservations: new Map(),
        resources: new Map(),
      } satisfies Group)
    this.#groups.set(key, { ...group, hours: group.hours + of.hours, amounts: plus(group.amounts, line) })
    if (resource !== '') group.resources.set(resource, (group.resources.get(resource) ?? 0) + gpuHours)
    if (line.reservation !== undefined) {
      const id = lastPart(line.reservation.id)
      const before = group.reservations.get(id) ?? { gpuHours: 0, effective: 0n }
      group.reservations.set(id, {
        gpuHours: before.gpuHours + gpuHours,
        effective: before.effective + line.effective,
      })
    }
    if (!this.#isWithin(period)) return
    const own = this.#resources.get(resource) ?? { resource, gpuHours: 0, effective: 0n }
    this.#resources.set(resource, {
      resource,
      gpuHours: own.gpuHours + gpuHours,
      effective: own.effective + line.effective,
    })
  }

  #addHost(line: FocusLine, family: string, first: number): void {
    const { provider, region, resource, period } = line
    const [capacity, month] = [capacityOf(line), monthOf(period.from)]
    const key = JSON.stringify([month, provider, resource, family, region, capacity])
    const known = this.#hosts.get(key)
    this.#hosts.set(key, {
      provider,
      region,
      resource,
      family,
      capacity,
      month,
      amounts: plus(known?.amounts ?? NOTHING, line),
      within: (known?.within ?? 0n) + (this.#isWithin(period) ? line.effective : 0n),
      first: known?.first ?? first,
    })
  }

  #addBlock(line: FocusLine, { instanceType, gpus }: { instanceType: string; gpus: number }, first: number): void {
    const { region, reservation, resource } = line
    const id = lastPart(reservation?.id ?? /\bcr-\w+/u.exec(resource)?.[0] ?? '')
    const key = JSON.stringify([id, instanceType, region])
    const known = this.#blocks.get(key)
    const amounts = plus(known?.amounts ?? NOTHING, line)
    this.#blocks.set(key, { id, instanceType, gpus, region, amounts, first: known?.first ?? first })
  }

  #isWithin = ({ from }: Window): boolean =>
    this.#within === undefined || (from >= this.#within.from && from < this.#within.to)

  /**
   * Hours of a line that its machine has not run by other lines of the same time: one hour is charged in two lines where a
   * commitment covers a part of it. Where a bill names no machines, or a set of them, each line is of others.
   */
  #newHours({ resource, period }: FocusLine, hours: number): number {
    const length = Math.max(0, (period.to - period.from) / HOUR_MS)
    if (resource === '' || hours > length || SET_OF_MACHINES.test(resource)) return hours
    const key = `${resource}\u0000${period.from}`
    const before = this.#hours.get(key) ?? 0
    const after = Math.min(length, before + hours)
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

function refuseOtherCurrency(one: string, other: string): void {
  if (one === other) return
  throw new Error(`The bill has charges in ${one} and in ${other}, which cannot be added. Import them one by one.`)
}

const UNTOUCHED = { purchased: 0n, used: 0n, unused: 0n, listOfUsed: 0n }

const IS_COMPUTE: ReadonlySet<Charged['kind']> = new Set(['machine', 'gpu', 'host', 'unread'])

/** GPU-hours as hours of their machine; of one GPU where the machine is not known, which then is known by its model. */
function machinesWith({ instanceType, model, gpuHours }: Charged & { readonly kind: 'gpu' }) {
  const gpus = gpusOfMachine(instanceType)
  return gpus === undefined
    ? { instanceType, model, gpus: 1, hours: gpuHours }
    : { instanceType, model: undefined, gpus, hours: gpuHours / gpus }
}

/** Azure charges all machines of a scale set under its name. */
const SET_OF_MACHINES = /\/virtualmachinescalesets\/[^/]+$/iu

const spanning = (before: Window | undefined, { from, to }: Window): Window =>
  before === undefined
    ? { from, to }
    : { from: instant(Math.min(before.from, from)), to: instant(Math.max(before.to, to)) }

function addUnread(all: Map<string, UnreadGpus>, { what, why, first, amounts }: UnreadGpus): void {
  const key = `${what}\u0000${why}`
  const known = all.get(key)
  all.set(key, { what, why, first: known?.first ?? first, amounts: total([known?.amounts ?? NOTHING, amounts]) })
}

const OF_CATEGORY = {
  Tax: 'tax',
  Credit: 'credit',
  Adjustment: 'adjustment',
} as const

/** The kind that a line's own columns say; undefined for usage and purchases, which are of what they are for. */
function plainKind(line: FocusLine): BillKind | undefined {
  // It belongs to a month that is over: in the price of this one it would be a lie.
  if (line.isCorrection) return 'correction'
  if (line.category === 'Purchase') return undefined
  if (line.category !== 'Usage') return OF_CATEGORY[line.category]
  if (line.commitment?.status === 'Unused') return 'unused-commitment'
  return line.reservation?.status === 'Unused' ? 'unused-reservation' : undefined
}

/**
 * Commitments are no capacity type: which hours they cover is decided after the fact, so they are spread over all. Hours that
 * cost nothing and that no commitment covers were paid in advance.
 */
function capacityOf({
  pricing,
  reservation,
  commitment,
  billed,
  effective,
  description,
  usageType,
}: FocusLine): NodeCapacity {
  if (pricing === 'Dynamic' || /\b(?:spot|preemptible)\b/iu.test(description) || /\bSpotUsage:/u.test(usageType))
    return 'spot'
  const isPrepaid = billed === 0n && effective === 0n && commitment === undefined
  return reservation !== undefined || isPrepaid ? 'reserved' : 'on-demand'
}
