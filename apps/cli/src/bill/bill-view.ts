import {
  BILL_KINDS,
  centsThatAddUp,
  dollarsOf,
  type BillKind,
  type Nanos,
  type ReadBill,
  type Reconciliation,
} from '@septet/domain'

/** A bill to be shown: amounts of its currency to the cent; what is for one kind adds up to the total. */
export type BillView = {
  readonly currency: string
  readonly from: number | undefined
  readonly to: number | undefined
  readonly charges: number
  readonly billed: number
  readonly effective: number
  readonly kinds: readonly {
    readonly kind: BillKind
    readonly charges: number
    readonly billed: number
    readonly effective: number
  }[]
  readonly machines: readonly {
    readonly month: string
    readonly provider: string
    readonly instanceType: string
    readonly region: string
    readonly capacity: string
    readonly machineHours: number
    readonly gpuHours: number
    readonly effective: number
    /** Of the bill's currency for a GPU-hour; undefined where no hour was charged. */
    readonly perGpuHour: number | undefined
    readonly listPerGpuHour: number | undefined
  }[]
  readonly commitments: readonly {
    readonly id: string
    readonly purchased: number
    readonly used: number
    readonly unused: number
    /** What it covered at list prices, less what it cost, used or not; below 0 it costs more than it saves. */
    readonly savedAgainstList: number
  }[]
  readonly reconciliation: Reconciliation | undefined
  readonly notes: readonly string[]
}

export function billView(bill: ReadBill, reconciliation?: Reconciliation): BillView {
  const { currency, period, total, kinds, machines, commitments, notes } = bill
  const billed = centsThatAddUp(BILL_KINDS.map((kind) => kinds[kind].billed))
  const effective = centsThatAddUp(BILL_KINDS.map((kind) => kinds[kind].effective))
  const ofMachines = centsThatAddUp(machines.map(({ amounts }) => amounts.effective))
  return {
    currency,
    from: period?.from,
    to: period?.to,
    charges: total.lines,
    billed: dollarsOf(total.billed),
    effective: dollarsOf(total.effective),
    kinds: BILL_KINDS.map((kind, index) => ({
      kind,
      charges: kinds[kind].lines,
      billed: billed[index] ?? 0,
      effective: effective[index] ?? 0,
    })),
    machines: machines.map(({ amounts, hours, gpus, ...of }, index) => ({
      month: of.month,
      provider: of.provider,
      instanceType: of.instanceType,
      region: of.region,
      capacity: of.capacity,
      machineHours: hours,
      gpuHours: hours * gpus,
      effective: ofMachines[index] ?? 0,
      perGpuHour: rate(amounts.effective, hours * gpus),
      listPerGpuHour: rate(amounts.list, hours * gpus),
    })),
    commitments: commitments.map(({ id, purchased, listOfUsed, ...parts }) => {
      const [used = 0, unused = 0] = centsThatAddUp([parts.used, parts.unused])
      const savedAgainstList = dollarsOf(listOfUsed - parts.used - parts.unused)
      return { id, purchased: dollarsOf(purchased), used, unused, savedAgainstList }
    }),
    reconciliation,
    notes,
  }
}

const rate = (amount: Nanos, hours: number): number | undefined =>
  hours === 0 ? undefined : Math.round(Number(amount) / 1e3 / hours) / 1e6
