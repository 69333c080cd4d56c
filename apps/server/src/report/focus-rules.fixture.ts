import { parseCsv } from './parse-csv.fixture.ts'
import type { FocusVersion } from './focus-csv.ts'

/**
 * Every column of FOCUS Cost and Usage up to 1.3: the version that brought it, its type, whether a file must have it, and
 * whether a cell may be empty.
 */
const COLUMNS = new Map(
  `
  AllocatedMethodDetails 1.3 JSON Recommended null
  AllocatedMethodId 1.3 String Conditional null
  AllocatedResourceId 1.3 String Conditional null
  AllocatedResourceName 1.3 String Conditional null
  AllocatedTags 1.3 JSON Conditional null
  AvailabilityZone 1.0 String Recommended null
  BilledCost 1.0 Decimal Mandatory never-null
  BillingAccountId 1.0 String Mandatory never-null
  BillingAccountName 1.0 String Mandatory null
  BillingAccountType 1.2 String Conditional never-null
  BillingCurrency 1.0 String Mandatory never-null
  BillingPeriodEnd 1.0 DateTime Mandatory never-null
  BillingPeriodStart 1.0 DateTime Mandatory never-null
  CapacityReservationId 1.1 String Conditional null
  CapacityReservationStatus 1.1 String Conditional null
  ChargeCategory 1.0 String Mandatory never-null
  ChargeClass 1.0 String Mandatory null
  ChargeDescription 1.0 String Mandatory null
  ChargeFrequency 1.0 String Recommended never-null
  ChargePeriodEnd 1.0 DateTime Mandatory never-null
  ChargePeriodStart 1.0 DateTime Mandatory never-null
  CommitmentDiscountCategory 1.0 String Conditional null
  CommitmentDiscountId 1.0 String Conditional null
  CommitmentDiscountName 1.0 String Conditional null
  CommitmentDiscountQuantity 1.1 Decimal Conditional null
  CommitmentDiscountStatus 1.0 String Conditional null
  CommitmentDiscountType 1.0 String Conditional null
  CommitmentDiscountUnit 1.1 String Conditional null
  ConsumedQuantity 1.0 Decimal Conditional null
  ConsumedUnit 1.0 String Conditional null
  ContractApplied 1.3 JSON Conditional null
  ContractedCost 1.0 Decimal Mandatory never-null
  ContractedUnitPrice 1.0 Decimal Conditional null
  EffectiveCost 1.0 Decimal Mandatory never-null
  HostProviderName 1.3 String Mandatory never-null
  InvoiceId 1.2 String Recommended null
  InvoiceIssuerName 1.0 String Mandatory never-null
  ListCost 1.0 Decimal Mandatory never-null
  ListUnitPrice 1.0 Decimal Conditional null
  PricingCategory 1.0 String Conditional null
  PricingCurrency 1.2 String Conditional null
  PricingCurrencyContractedUnitPrice 1.2 Decimal Conditional null
  PricingCurrencyEffectiveCost 1.2 Decimal Conditional null
  PricingCurrencyListUnitPrice 1.2 Decimal Conditional null
  PricingQuantity 1.0 Decimal Mandatory null
  PricingUnit 1.0 String Mandatory null
  ProviderName 1.0 String Mandatory never-null
  PublisherName 1.0 String Mandatory never-null
  RegionId 1.0 String Conditional null
  RegionName 1.0 String Conditional null
  ResourceId 1.0 String Conditional null
  ResourceName 1.0 String Conditional null
  ResourceType 1.0 String Conditional null
  ServiceCategory 1.0 String Mandatory never-null
  ServiceName 1.0 String Mandatory never-null
  ServiceProviderName 1.3 String Mandatory never-null
  ServiceSubcategory 1.1 String Recommended never-null
  SkuId 1.0 String Conditional null
  SkuMeter 1.1 String Conditional null
  SkuPriceDetails 1.1 JSON Conditional null
  SkuPriceId 1.0 String Conditional null
  SubAccountId 1.0 String Conditional null
  SubAccountName 1.0 String Conditional null
  SubAccountType 1.2 String Conditional null
  Tags 1.0 JSON Conditional null
`
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', since = '', type = '', level = '', empty = ''] = line.trim().split(' ')
      return [name, { since, type, level, mayBeEmpty: empty === 'null' }]
    }),
)

/** What is written in the columns that have a list of values, as far as usage can have them. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  ChargeCategory: ['Usage'],
  ChargeClass: [''],
  ChargeFrequency: ['Usage-Based', 'Recurring', 'One-Time'],
  PricingCategory: ['Standard', 'Dynamic', 'Committed', 'Other'],
  ServiceCategory: ['Compute', 'AI and Machine Learning'],
  ServiceSubcategory: ['Containers', 'Virtual Machines', 'Serverless Compute', 'Other (Compute)'],
}

/** Cells of usage that is no correction are never empty, where the column is there. */
const OF_USAGE = [
  'ConsumedQuantity',
  'ContractedUnitPrice',
  'ListUnitPrice',
  'PricingCategory',
  'PricingQuantity',
  'SkuId',
  'SkuPriceId',
]

/** Two columns of which one is empty where, and only where, the other is. */
const TOGETHER = [
  ['ConsumedUnit', 'ConsumedQuantity'],
  ['PricingUnit', 'PricingQuantity'],
  ['ResourceName', 'ResourceId'],
  ['ResourceType', 'ResourceId'],
  ['SkuMeter', 'SkuId'],
  ['SkuPriceDetails', 'SkuPriceId'],
  ['SubAccountName', 'SubAccountId'],
  ['SubAccountType', 'SubAccountId'],
] as const

const TYPES: Readonly<Record<string, (text: string) => boolean>> = {
  // With a point: a loader that guesses the type of a column of whole numbers takes it for integers, which are refused.
  Decimal: (text) => /^[+-]?\d*\.\d+$/u.test(text),
  DateTime: (text) => /^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\dZ$/u.test(text),
  String: (text) => text.trim() === text,
  JSON: (text) => typeof JSON.parse(text) === 'object',
}

const UNIT = /^(?:[1-9]\d* )?[A-Z]\w*-(?:Years|Months|Days|Hours|Minutes|Seconds)$/u

type Row = Readonly<Record<string, string>>

/** The rows of a file by column. */
export function focusRows(text: string): Row[] {
  const [head = [], ...rows] = parseCsv(text)
  return rows.map((row) => Object.fromEntries(head.map((column, at) => [column, row[at] ?? ''])))
}

/** What the FOCUS validator would refuse in a file, a sentence each; none: it is accepted. */
export function focusFlaws(text: string, version: FocusVersion, zone = 'UTC'): string[] {
  const [head = []] = parseCsv(text)
  const known = [...COLUMNS].filter(([, { since }]) => since <= version)
  const rows = focusRows(text)
  return [
    ...known.flatMap(([name, { level }]) =>
      level === 'Mandatory' && !head.includes(name) ? [`${name} is not there`] : [],
    ),
    ...head.flatMap((name) =>
      name.startsWith('x_') || known.some(([column]) => column === name) ? [] : [`${name} is no column of ${version}`],
    ),
    ...head.flatMap((name, at) =>
      !name.startsWith('x_') && head.slice(0, at).some((before) => before.startsWith('x_'))
        ? [`${name} stands behind columns of our own`]
        : [],
    ),
    ...(new Set(head).size === head.length ? [] : ['a column is there twice']),
    ...oneToOne(rows, 'SkuPriceId', 'SkuId'),
    ...oneToOne(rows, 'SkuPriceId', 'ListUnitPrice'),
    ...oneToOne(rows, 'ServiceName', 'ServiceCategory'),
    ...rows.flatMap((row, at) => rowFlaws(row, zone).map((flaw) => `row ${at + 1}: ${flaw}`)),
  ]
}

/** Of what stands in one column, only one thing stands in the other. */
const oneToOne = (rows: readonly Row[], column: string, other: string): string[] =>
  [...Map.groupBy(rows, (row) => row[column] ?? '')].flatMap(([value, own]) =>
    new Set(own.map((row) => row[other])).size > 1 ? [`${column} ${value} has several ${other}`] : [],
  )

function rowFlaws(row: Row, zone: string): string[] {
  const of = (column: string): string => row[column] ?? ''
  const has = (column: string): boolean => Object.hasOwn(row, column)
  const amount = Number(of('ListCost'))
  const flawed: readonly (readonly [flaw: string, isSo: boolean])[] = [
    ...Object.keys(row).flatMap((name) => {
      const { type = 'String', mayBeEmpty = true } = COLUMNS.get(name) ?? {}
      const text = of(name)
      return [
        [`${name} is empty`, text === '' && !mayBeEmpty] as const,
        [`${name} is no ${type}: ${text}`, text !== '' && TYPES[type]?.(text) !== true] as const,
        [`${name} may not be ${text}`, VALUES[name]?.includes(text) === false] as const,
      ]
    }),
    ...OF_USAGE.map((name) => [`${name} is empty`, has(name) && of(name) === ''] as const),
    ...TOGETHER.map(
      ([name, other]) => [`${name} and ${other}`, has(name) && (of(name) === '') !== (of(other) === '')] as const,
    ),
    ...['PricingUnit', 'ConsumedUnit'].map((name) => [`${name} is no unit`, !UNIT.test(of(name))] as const),
    ...['ListUnitPrice', 'ContractedUnitPrice'].map(
      (name) =>
        [
          `${name} x PricingQuantity is not the cost`,
          Math.abs(Number(of(name)) * Number(of('PricingQuantity')) - amount) > Math.max(Math.abs(amount), 1) * 1e-9,
        ] as const,
    ),
    ...['BilledCost', 'EffectiveCost', 'ContractedCost'].map(
      (name) => [`${name} is not ListCost: nothing is discounted`, of(name) !== of('ListCost')] as const,
    ),
    ['the currency is none', !/^[A-Z]{3}$/u.test(of('BillingCurrency'))],
    ['a third party would be paid, so BilledCost would be 0', of('ProviderName') !== of('InvoiceIssuerName')],
    ['nobody else hosts it', has('HostProviderName') && of('HostProviderName') !== of('ServiceProviderName')],
    ['it is charged outside of what is billed', of('ChargePeriodStart') < of('BillingPeriodStart')],
    ['it is charged outside of what is billed', of('ChargePeriodEnd') > of('BillingPeriodEnd')],
    ['it is charged for no time', of('ChargePeriodEnd') <= of('ChargePeriodStart')],
    ['it is not billed for one month', !isMonth(of('BillingPeriodStart'), of('BillingPeriodEnd'), zone)],
  ]
  return flawed.flatMap(([flaw, isSo]) => (isSo ? [flaw] : []))
}

/** Whether it is a calendar month of a zone, by another clock than ours. */
function isMonth(start: string, end: string, zone: string): boolean {
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
  })
  const [first = '', after = ''] = [start, end].map((text) => clock.format(new Date(text)))
  const [year = 0, month = 0] = first.split('-').map(Number)
  const next = month === 12 ? `${year + 1}-01` : `${year}-${String(month + 1).padStart(2, '0')}`
  return first === `${first.slice(0, 7)}-01 00` && after === `${next}-01 00`
}
