import { dateIn, instant, monthAfter, parseRange, secondText, startOfDate, type Window } from '@septet/domain'

import type { Report } from '../operations/report/report.ts'
import { csvTable, type Columns } from './csv-table.ts'

type Group = Report['cost']['namespace']['groups'][number]
type Part = Exclude<keyof Group['gpuHours'], 'capacity' | 'unmeasured'>

/**
 * The cost of a window in the columns of FOCUS 1.2 (FinOps Open Cost and Usage Specification), for tools that read
 * bills. A row is what one namespace, or nobody, cost in one part; the rows add up to the capacity to the cent. They are
 * made from the price book, not from an invoice, which `ChargeDescription` says. Dimensions of our own begin with `x_`.
 * Groups without a price are left out: an unknown price is not 0. What actions saved is not a row: the cost of what was
 * there is without it already, so a credit would count it twice.
 */
export const focusCsv = (report: Report): string =>
  csvTable(
    COLUMNS,
    report.cost.namespace.groups.flatMap((group) => chargesOf(group, report)),
  )

type Charge = {
  readonly source: Report['source']
  /** Of the namespace; empty where nobody held it. */
  readonly key: string
  readonly part: Part
  readonly hours: number
  readonly cost: string
  readonly charged: Window
  readonly billed: Window
}

const COLUMNS: Columns<Charge> = {
  BilledCost: ({ cost }) => cost,
  BillingAccountId: ({ source }) => source.id,
  BillingAccountName: ({ source }) => source.name,
  BillingCurrency: () => 'USD',
  BillingPeriodEnd: ({ billed }) => secondText(billed.to),
  BillingPeriodStart: ({ billed }) => secondText(billed.from),
  ChargeCategory: () => 'Usage',
  ChargeClass: () => '',
  ChargeDescription: ({ part }) => `${PARTS[part]}; GPU-hours at the price book of Septet, not an invoice`,
  ChargeFrequency: () => 'Usage-Based',
  ChargePeriodEnd: ({ charged }) => secondText(charged.to),
  ChargePeriodStart: ({ charged }) => secondText(charged.from),
  ConsumedQuantity: ({ hours }) => hours,
  ConsumedUnit: () => 'GPU-Hours',
  ContractedCost: ({ cost }) => cost,
  EffectiveCost: ({ cost }) => cost,
  InvoiceIssuerName: ({ source }) => source.name,
  ListCost: ({ cost }) => cost,
  PricingQuantity: ({ hours }) => hours,
  PricingUnit: () => 'GPU-Hours',
  ProviderName: ({ source }) => source.name,
  PublisherName: ({ source }) => source.name,
  ResourceId: ({ source, key }) => (key === '' ? '' : `${source.id}/${key}`),
  ResourceName: ({ key }) => key,
  ResourceType: ({ key }) => (key === '' ? 'GPU capacity' : 'Namespace'),
  ServiceCategory: () => 'Compute',
  ServiceName: () => 'GPU',
  SubAccountId: ({ key }) => key,
  SubAccountName: ({ key }) => key,
  x_Cluster: ({ source }) => source.id,
  x_Part: ({ part }) => part,
}

/** The parts of a group that never overlap, by the name that a reader of the bill sees. */
const PARTS = {
  used: 'Held and working, or held without trustworthy telemetry',
  idleHeld: 'Held and idle',
  oversized: 'Held beyond the size that the work needs',
  unallocated: 'Unallocated, in a usable shape',
  stranded: 'Unallocated, in a shape that no profile can use',
  broken: 'Broken: the node not ready, the device withheld, or stopped by a fault',
} satisfies Record<Part, string>

const isPart = (name: string): name is Part => Object.hasOwn(PARTS, name)
const partNames = Object.keys(PARTS).filter(isPart)

function chargesOf({ key, gpuHours, usd }: Group, { source, window, range }: Report): Charge[] {
  if (usd === null || window === null) return []
  const charged = { from: instant(Date.parse(window.from)), to: instant(Date.parse(window.to)) }
  const billed = billingPeriod(range, charged)
  return partNames.flatMap((part) => {
    const [hours, amount] = [gpuHours[part], usd[part]]
    if (hours === null || amount === null || (hours === 0 && amount === 0)) return []
    return { source, key, part, hours, cost: amount.toFixed(2), charged, billed }
  })
}

/**
 * The months that a window touches, in the zone of its range. Its end is the first instant that is not a part of it.
 */
function billingPeriod(range: string, { from, to }: Window): Window {
  const parsed = parseRange(range)
  const zone = parsed?.kind === 'calendar' ? parsed.zone : 'UTC'
  const last = dateIn(zone, instant(Math.max(from, to - 1)))
  return {
    from: startOfDate(zone, monthAfter(dateIn(zone, from), 0)),
    to: startOfDate(zone, monthAfter(last, 1)),
  }
}
