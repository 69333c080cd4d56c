import { secondText } from '../analyze/time-range.ts'
import type { GpuNode } from '../cluster/node.ts'
import type { CostGroup } from '../cost/cost-parts.ts'
import type { Window } from '../units.ts'
import type { Bill, BilledResource } from './bill.ts'
import { dollarsOf } from './exact-money.ts'
import { lastPart } from './resource-name.ts'

/** GPU-hours, and what they cost to the cent. */
type Amount = { readonly gpuHours: number; readonly cost: number }

/** What a bill says of a cluster's machines beside what Septet says. billed = seen + unseen + atOtherPrice, to the cent. */
export type Reconciliation = {
  /** Nodes whose machine is on the bill, and those that it does not name. */
  readonly nodes: readonly string[]
  readonly notOnBill: readonly string[]
  readonly billed: Amount
  /** GPU-hours of these nodes that Septet knows of, broken ones too, at the prices of the report. */
  readonly seen: Amount
  /** Billed while Septet knew of no GPU (starting, before Septet looked); less than 0 where it knew of more. */
  readonly unseen: Amount
  /** The machine's own rate differs from the mean of its type, which is what prices are made of. */
  readonly atOtherPrice: number
  /** Machines with GPUs on the bill that are not nodes of this cluster. */
  readonly elsewhere: Amount & { readonly machines: number }
}

type Sources = {
  readonly bill: Pick<Bill, 'resources'>
  readonly nodes: readonly Pick<GpuNode, 'name' | 'providerId'>[]
  /** Of the same window. */
  readonly byNode: readonly CostGroup[]
  /** US dollars for one unit of the bill's currency; 1 when left out. */
  readonly usdPerUnit?: number | undefined
}

/** Holds a bill against an analysis, node by node. */
export function reconcileBill({ bill, nodes, byNode, usdPerUnit = 1 }: Sources): Reconciliation {
  const resources = new Map(bill.resources.map((each) => [machineOf(each.resource), each]))
  const costs = new Map(byNode.map(({ key, cost }) => [key, cost]))
  const matched = nodes.flatMap((node) => {
    const resource = resources.get(machineOf(node.providerId ?? node.name)) ?? resources.get(node.name.toLowerCase())
    return resource === undefined ? [] : [{ name: node.name, resource, cost: costs.get(node.name) }]
  })
  const names = new Set(matched.map(({ name }) => name))
  const own = new Set(matched.map(({ resource }) => resource))
  const others = bill.resources.filter((resource) => !own.has(resource))
  const dollars = (some: readonly BilledResource[]): number =>
    toCents(dollarsOf(some.reduce((sum, { effective }) => sum + effective, 0n)) * usdPerUnit)
  const billed = { gpuHours: hoursOf([...own]), cost: dollars([...own]) }
  const seen = {
    gpuHours: matched.reduce((sum, { cost }) => sum + (cost?.hours.capacity ?? 0), 0),
    cost: toCents(matched.reduce((sum, { cost }) => sum + (cost?.money?.capacity ?? 0), 0)),
  }
  const unseenCost = [...own].reduce((sum, resource) => {
    const rate = resource.gpuHours === 0 ? 0 : (Number(resource.effective) / 1e9 / resource.gpuHours) * usdPerUnit
    // A scale set is one resource of many nodes.
    const ofNodes = matched.filter((each) => each.resource === resource)
    return (
      sum + rate * (resource.gpuHours - ofNodes.reduce((hours, { cost }) => hours + (cost?.hours.capacity ?? 0), 0))
    )
  }, 0)
  const unseen = { gpuHours: billed.gpuHours - seen.gpuHours, cost: toCents(unseenCost) }
  return {
    nodes: [...names],
    notOnBill: nodes.map(({ name }) => name).filter((name) => !names.has(name)),
    billed,
    seen,
    unseen,
    atOtherPrice: toCents(billed.cost - seen.cost - unseen.cost),
    elsewhere: { machines: others.length, gpuHours: hoursOf(others), cost: dollars(others) },
  }
}

/** Azure bills a scale set; its machines are numbers in it. */
const machineOf = (name: string): string =>
  /\/virtualmachinescalesets\/([^/]+)/iu.exec(name)?.[1]?.toLowerCase() ?? lastPart(name)

/**
 * What to say where a bill and the compared time do not cover each other: nothing of the time, as for a month before the
 * cluster existed, or a part of it. Undefined where the bill covers all of it.
 */
export function timeNotOnBill(period: Window | undefined, window: Window): { none: boolean; note: string } | undefined {
  if (period === undefined || (period.from <= window.from && window.to <= period.to)) return undefined
  const [bill, seen] = [daysOf(period), daysOf(window)]
  if (period.to <= window.from || window.to <= period.from) {
    const note = `The bill is for ${bill}, and Septet looked at the cluster from ${seen}: its machines cannot be compared. Compare a bill of the same time.`
    return { none: true, note }
  }
  const note = `The bill is for ${bill}, and the cluster is compared from ${seen}: hours outside of the bill count as less than 0 unseen.`
  return { none: false, note }
}

const daysOf = ({ from, to }: Window): string => `${secondText(from).slice(0, 10)} to ${secondText(to).slice(0, 10)}`

const hoursOf = (some: readonly BilledResource[]): number => some.reduce((sum, { gpuHours }) => sum + gpuHours, 0)

const toCents = (amount: number): number => Math.round(amount * 100) / 100
