import { BILL_KINDS, centsThatAddUp, dollarsOf, type Nanos, type ReadBill, type Reconciliation } from '@septet/domain'

/** A bill to be shown: amounts of its currency to the cent; what is for one kind adds up to the total. */
export type BillView = ReturnType<typeof billView>

export function billView(bill: ReadBill, reconciliation?: Reconciliation) {
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
    // What the bill charges for machines, and of it for those of a size that it does not tell.
    compute: dollarsOf(bill.compute.effective),
    untyped: dollarsOf(bill.untyped.effective),
    machines: machines.map(({ amounts, prepaid, hours, gpus, ...of }, index) => ({
      month: of.month,
      provider: of.provider,
      instanceType: of.instanceType,
      model: of.model,
      region: of.region,
      capacity: of.capacity as string,
      machineHours: hours,
      gpuHours: hours * gpus,
      effective: ofMachines[index] ?? 0,
      // Fees that the bill spreads over no hours: in the price, and not in the effective cost.
      prepaid: dollarsOf(prepaid),
      // Of the bill's currency for a GPU-hour; undefined where no hour was charged.
      perGpuHour: rate(amounts.effective + prepaid, hours * gpus),
      listPerGpuHour: rate(amounts.list, hours * gpus),
    })),
    commitments: commitments.map(({ id, purchased, listOfUsed, ...parts }) => {
      const [used = 0, unused = 0] = centsThatAddUp([parts.used, parts.unused])
      // What it covered at list prices, less what it cost, used or not; below 0 it costs more than it saves.
      const savedAgainstList = dollarsOf(listOfUsed - parts.used - parts.unused)
      return { id, purchased: dollarsOf(purchased), used, unused, savedAgainstList }
    }),
    reconciliation,
    notes,
  }
}

const rate = (amount: Nanos, hours: number): number | undefined =>
  hours === 0 ? undefined : Math.round(Number(amount) / 1e3 / hours) / 1e6
