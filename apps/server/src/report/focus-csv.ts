import { csvOf } from '@septet/contract/csv'
import { dateIn, instant, monthAfter, parseRange, secondText, startOfDate, type Window } from '@septet/domain'

import type { Report } from '../operations/report/report.ts'

type Group = Report['cost']['namespace']['groups'][number]
type Part = Exclude<keyof Group['gpuHours'], 'capacity' | 'unmeasured'>

/**
 * The cost of a window in the columns of FOCUS 1.2 (FinOps Open Cost and Usage Specification), for tools that read
 * bills. A row is what one namespace, or nobody, cost in one part; the rows add up to the capacity to the cent. They are
 * made from the price book, not from an invoice, which `ChargeDescription` says. Dimensions of our own begin with `x_`.
 * Groups without a price are left out: an unknown price is not 0. What actions saved is not a row: the cost of what was
 * there is without it already, so a credit would count it twice.
 */
export function focusCsv(report: Report): string {
  const rows = report.cost.namespace.groups.flatMap((group) => rowsOf(group, report))
  return csvOf([[...COLUMNS], ...rows.map((row) => COLUMNS.map((column) => row[column]))])
}

const COLUMNS = [
  'BilledCost',
  'BillingAccountId',
  'BillingAccountName',
  'BillingCurrency',
  'BillingPeriodEnd',
  'BillingPeriodStart',
  'ChargeCategory',
  'ChargeClass',
  'ChargeDescription',
  'ChargeFrequency',
  'ChargePeriodEnd',
  'ChargePeriodStart',
  'ConsumedQuantity',
  'ConsumedUnit',
  'ContractedCost',
  'EffectiveCost',
  'InvoiceIssuerName',
  'ListCost',
  'PricingQuantity',
  'PricingUnit',
  'ProviderName',
  'PublisherName',
  'ResourceId',
  'ResourceName',
  'ResourceType',
  'ServiceCategory',
  'ServiceName',
  'SubAccountId',
  'SubAccountName',
  'x_Cluster',
  'x_Part',
] as const
type Row = Readonly<Record<(typeof COLUMNS)[number], string>>

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

function rowsOf({ key, gpuHours, usd }: Group, { source, window, range }: Report): Row[] {
  if (usd === null || window === null) return []
  const charged = { from: instant(Date.parse(window.from)), to: instant(Date.parse(window.to)) }
  const billed = billingPeriod(range, charged)
  return partNames.flatMap((part) => {
    const [hours, amount] = [gpuHours[part], usd[part]]
    if (hours === null || amount === null || (hours === 0 && amount === 0)) return []
    const cost = amount.toFixed(2)
    return {
      BilledCost: cost,
      BillingAccountId: source.id,
      BillingAccountName: source.name,
      BillingCurrency: 'USD',
      BillingPeriodEnd: secondText(billed.to),
      BillingPeriodStart: secondText(billed.from),
      ChargeCategory: 'Usage',
      ChargeClass: '',
      ChargeDescription: `${PARTS[part]}; GPU-hours at the price book of Septet, not an invoice`,
      ChargeFrequency: 'Usage-Based',
      ChargePeriodEnd: secondText(charged.to),
      ChargePeriodStart: secondText(charged.from),
      ConsumedQuantity: String(hours),
      ConsumedUnit: 'GPU-Hours',
      ContractedCost: cost,
      EffectiveCost: cost,
      InvoiceIssuerName: source.name,
      ListCost: cost,
      PricingQuantity: String(hours),
      PricingUnit: 'GPU-Hours',
      ProviderName: source.name,
      PublisherName: source.name,
      ResourceId: key === '' ? '' : `${source.id}/${key}`,
      ResourceName: key,
      ResourceType: key === '' ? 'GPU capacity' : 'Namespace',
      ServiceCategory: 'Compute',
      ServiceName: 'GPU',
      SubAccountId: key,
      SubAccountName: key,
      x_Cluster: source.id,
      x_Part: part,
    }
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
