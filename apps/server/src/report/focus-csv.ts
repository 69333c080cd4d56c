import { csvOf } from '@septet/contract/csv'

import type { Report } from '../operations/report/report.ts'

type Group = Report['cost']['namespace']['groups'][number]

/**
 * The cost of a window in the columns of FOCUS 1.2 (FinOps Open Cost and Usage Specification), for tools that read
 * bills. A row is what one namespace, or nobody, cost in one part; the rows add up to the capacity to the cent. They are
 * made from the price book, not from an invoice, which `ChargeDescription` says. Dimensions of our own begin with `x_`.
 * Groups without a price are left out: an unknown price is not 0. What actions saved is no row: the cost of what was there
 * is without it already, so a credit would count it twice.
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
const PARTS = [
  ['used', 'Held and working, or held without trustworthy telemetry'],
  ['idleHeld', 'Held and idle'],
  ['oversized', 'Held beyond the size that the work needs'],
  ['unallocated', 'Unallocated, in a usable shape'],
  ['stranded', 'Unallocated, in a shape that no profile can use'],
] as const

function rowsOf({ key, gpuHours, usd }: Group, { source, window }: Report): Row[] {
  if (usd === null || window === null) return []
  const from = window.from
  const to = window.to
  return PARTS.flatMap(([part, words]) => {
    const [hours, amount] = [gpuHours[part], usd[part]]
    if (hours === null || amount === null || (hours === 0 && amount === 0)) return []
    const cost = amount.toFixed(2)
    return {
      BilledCost: cost,
      BillingAccountId: source.id,
      BillingAccountName: source.name,
      BillingCurrency: 'USD',
      BillingPeriodEnd: startOfMonth(to, 1),
      BillingPeriodStart: startOfMonth(from, 0),
      ChargeCategory: 'Usage',
      ChargeClass: '',
      ChargeDescription: `${words}; GPU-hours at the price book of Septet, not an invoice`,
      ChargeFrequency: 'Usage-Based',
      ChargePeriodEnd: to,
      ChargePeriodStart: from,
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

/** The beginning of an instant's month (UTC), or of one so many months later. */
function startOfMonth(at: string, later: number): string {
  const date = new Date(at)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1)).toISOString()
}
