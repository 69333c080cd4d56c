import { COST_PART_WORDS, secondText, type CostPart, type Window } from '@septet/domain'

import { csvTable, type Columns } from './csv-table.ts'

/** The versions of FOCUS (FinOps Open Cost and Usage Specification) that the file comes in. */
export type FocusVersion = '1.0' | '1.2' | '1.3'

/** One charge: what somebody, or nobody, held of one part, over a stretch of time within one month. */
export type FocusLine = {
  readonly cluster: { readonly id: string; readonly name: string }
  readonly charged: Window
  /** The calendar month that it is billed in. */
  readonly billed: Window
  /** Empty where nobody held it. */
  readonly namespace: string
  /** These three are empty where the line covers several, or it is not known. */
  readonly workload: string
  readonly model: string
  readonly pool: string
  readonly part: CostPart
  readonly gpuHours: number
  readonly usd: number
  /** What was learned of its month after that was sealed, in sentences; the amounts are as they are now. Empty: nothing. */
  readonly correction: string
}

/**
 * Lines in the columns of a version of FOCUS, for tools that read bills. A row is one line; its amounts are not rounded
 * to the cent, so that the rows add up to what the lines do. They are made from the price book, not from an invoice, which
 * `ChargeDescription` says. Columns of our own begin with `x_`.
 */
export const focusCsv = (lines: readonly FocusLine[], version: FocusVersion): string =>
  csvTable(Object.fromEntries(Object.entries(COLUMNS).filter(([column]) => (SINCE[column] ?? '1.0') <= version)), lines)

/** Columns that 1.0 does not have; those of 1.1 come with 1.2. */
const SINCE: Readonly<Record<string, FocusVersion>> = {
  BillingAccountType: '1.2',
  HostProviderName: '1.3',
  InvoiceId: '1.2',
  ServiceProviderName: '1.3',
  ServiceSubcategory: '1.2',
  SkuMeter: '1.2',
  SkuPriceDetails: '1.2',
  SubAccountType: '1.2',
}

const cost = ({ usd }: FocusLine): string => decimal(usd)
const hours = ({ gpuHours }: FocusLine): string => decimal(gpuHours)
const clusterName = ({ cluster }: FocusLine): string => cluster.name
const sku = ({ model }: FocusLine): string => (model === '' ? 'GPU' : model)

const COLUMNS: Columns<FocusLine> = {
  BilledCost: cost,
  BillingAccountId: ({ cluster }) => cluster.id,
  BillingAccountName: clusterName,
  BillingAccountType: () => 'Cluster',
  BillingCurrency: () => 'USD',
  BillingPeriodEnd: ({ billed }) => secondText(billed.to),
  BillingPeriodStart: ({ billed }) => secondText(billed.from),
  ChargeCategory: () => 'Usage',
  ChargeClass: () => '',
  ChargeDescription: ({ part }) => `${COST_PART_WORDS[part]}; GPU-hours at the price book of Septet, not an invoice`,
  ChargeFrequency: () => 'Usage-Based',
  ChargePeriodEnd: ({ charged }) => secondText(charged.to),
  ChargePeriodStart: ({ charged }) => secondText(charged.from),
  ConsumedQuantity: hours,
  ConsumedUnit: () => 'GPU-Hours',
  ContractedCost: cost,
  ContractedUnitPrice: (line) => unitPrice(line),
  EffectiveCost: cost,
  HostProviderName: clusterName,
  InvoiceId: () => '',
  InvoiceIssuerName: clusterName,
  ListCost: cost,
  ListUnitPrice: (line) => unitPrice(line),
  PricingCategory: () => 'Standard',
  PricingQuantity: hours,
  PricingUnit: () => 'GPU-Hours',
  // 1.3 calls these two deprecated and still requires them.
  ProviderName: clusterName,
  PublisherName: clusterName,
  ResourceId: ({ cluster, namespace, workload }) =>
    namespace === '' ? '' : [cluster.id, namespace, workload].filter((name) => name !== '').join('/'),
  ResourceName: ({ namespace, workload }) => workload || namespace,
  ResourceType: ({ namespace, workload }) => (namespace === '' ? '' : workload === '' ? 'Namespace' : 'Workload'),
  ServiceCategory: () => 'Compute',
  ServiceName: () => 'GPU',
  ServiceProviderName: clusterName,
  ServiceSubcategory: () => 'Containers',
  SkuId: sku,
  SkuMeter: () => 'GPU-hours',
  // Of one unit that is priced, which is one GPU for an hour.
  SkuPriceDetails: () => '{"GpuCount":1}',
  SkuPriceId: (line) => [sku(line), unitPrice(line)].filter((name) => name !== '').join('@'),
  SubAccountId: ({ namespace }) => namespace,
  SubAccountName: ({ namespace }) => namespace,
  SubAccountType: ({ namespace }) => (namespace === '' ? '' : 'Namespace'),
  x_Cluster: ({ cluster }) => cluster.id,
  x_Corrections: ({ correction }) => correction,
  x_GpuModel: ({ model }) => model,
  x_Part: ({ part }) => part,
  x_Pool: ({ pool }) => pool,
}

/** As many decimals as an amount has, up to `most`, and one at least: loaders take a column of whole numbers for integers. */
const decimal = (amount: number, most = 6): string => amount.toFixed(most).replace(/0+$/u, '').replace(/\.$/u, '.0')

/**
 * The price that gives the cost of a row when it is multiplied by its quantity, both as they are written, in as few decimals
 * as that takes. Validators allow for a billionth of the cost. Empty where nothing was consumed.
 */
function unitPrice(line: FocusLine): string {
  const [amount, quantity] = [Number(cost(line)), Number(hours(line))]
  if (quantity === 0) return ''
  const most = Math.max(1, Math.abs(amount)) * 1e-10
  const written = DECIMALS.map((decimals) => decimal(amount / quantity, decimals))
  return written.find((price) => Math.abs(Number(price) * quantity - amount) <= most) ?? written.at(-1) ?? ''
}

const DECIMALS = Array.from({ length: 14 }, (_, more) => more + 2)
