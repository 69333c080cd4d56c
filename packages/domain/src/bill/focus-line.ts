import { dayNumber } from '../analyze/civil-date.ts'
import { instant, type Window } from '../units.ts'
import { type Nanos, readNanos } from './exact-money.ts'

/** One charge of a bill in FOCUS 1.0 to 1.2, or of its preview, as far as Septet reads it. */
export type FocusLine = {
  /** What the invoice says, and what the charge costs with commitments spread over what they cover. Never to be added. */
  readonly billed: Nanos
  readonly effective: Nanos
  readonly list: Nanos
  readonly currency: string
  readonly period: Window
  readonly category: 'Usage' | 'Purchase' | 'Tax' | 'Credit' | 'Adjustment'
  /** Of an invoice that was sent before. */
  readonly isCorrection: boolean
  readonly pricing: 'Standard' | 'Dynamic' | 'Committed' | 'Other' | undefined
  readonly provider: string
  readonly service: string
  readonly region: string
  readonly resource: string
  readonly commitment: { readonly id: string; readonly status: 'Used' | 'Unused' | undefined } | undefined
  readonly reservation: { readonly id: string; readonly status: 'Used' | 'Unused' | undefined } | undefined
  /** In the cloud's words, and what it is sold as: a name that stands for one price where the bill has no better one. */
  readonly description: string
  readonly sku: string
  /** AWS's own name of what was used, `USE2-BoxUsage:p5.48xlarge`; empty elsewhere. */
  readonly usageType: string
  /** Empty where nothing says it. */
  readonly instanceType: string
  /** Whether the bill calls the resource a virtual machine, of whatever type. */
  readonly isMachine: boolean
  /** Whether the charge is for computing at all. */
  readonly isCompute: boolean
  /** Undefined where the bill does not say it, which most do not. */
  readonly gpus: number | undefined
  /** Hours, and of what; undefined where the charge is not for hours. */
  readonly time: { readonly of: 'machine' | 'gpu' | 'ocpu'; readonly hours: number } | undefined
}

/** One record of a bill, by column. */
export type FocusRecord = Readonly<Record<string, string | undefined>>

/** Columns without which nothing can be said. */
export const NEEDED_COLUMNS = [
  'BilledCost',
  'EffectiveCost',
  'BillingCurrency',
  'ChargeCategory',
  'ChargePeriodStart',
  'ChargePeriodEnd',
] as const

/** What columns are called in the preview of FOCUS 1.0, which Oracle writes, and in 1.3. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  ProviderName: ['Provider', 'ServiceProviderName'],
  RegionId: ['Region'],
  ConsumedQuantity: ['UsageQuantity'],
  ConsumedUnit: ['UsageUnit'],
}

type Text = (column: string) => string

const textsOf =
  (record: FocusRecord): Text =>
  (column) =>
    given(record[column]) || (OTHER_NAMES[column]?.map((name) => given(record[name])).find((text) => text !== '') ?? '')

type Needed = Pick<FocusLine, 'billed' | 'effective' | 'currency' | 'period' | 'category'>

/** What no charge can do without; what is wrong with it, in words, where it cannot be read. */
function neededOf(text: Text): Needed | { readonly flaw: string } {
  const [billed, effective] = [readNanos(text('BilledCost')), readNanos(text('EffectiveCost'))]
  const [from, to] = [readTime(text('ChargePeriodStart')), readTime(text('ChargePeriodEnd'))]
  const [currency, category] = [text('BillingCurrency'), oneOf(CATEGORIES, text('ChargeCategory'))]
  const flaw = (column: string): { readonly flaw: string } => ({ flaw: `${column} is "${text(column)}"` })
  if (billed === undefined) return flaw('BilledCost')
  if (effective === undefined) return flaw('EffectiveCost')
  if (currency === '') return flaw('BillingCurrency')
  if (from === undefined) return flaw('ChargePeriodStart')
  if (to === undefined) return flaw('ChargePeriodEnd')
  if (category === undefined) return flaw('ChargeCategory')
  return { billed, effective, currency, period: { from: instant(from), to: instant(to) }, category }
}

/** Reads one record; what is wrong with it, in words, where it cannot be read. */
export function readFocusLine(record: FocusRecord): FocusLine | { readonly flaw: string } {
  const text = textsOf(record)
  const needed = neededOf(text)
  if ('flaw' in needed) return needed
  const details = detailsOf(text('SkuPriceDetails'))
  const instanceType = details.instanceType ?? machineOf(text)
  // What Azure charges beside a machine, a license or traffic, names the machine as its resource.
  const isMachine = isAzureMachine(text) && /^(?:virtual machine|instance\b)/iu.test(text('ResourceType'))
  return {
    ...needed,
    list: readNanos(text('ListCost')) ?? needed.billed,
    isCorrection: text('ChargeClass').toLowerCase() === 'correction',
    pricing: oneOf(PRICINGS, text('PricingCategory')),
    provider: text('ProviderName'),
    service: text('ServiceName'),
    region: text('RegionId'),
    resource: text('ResourceId'),
    commitment: heldBy(text('CommitmentDiscountId'), text('CommitmentDiscountStatus') || text('ChargeSubcategory')),
    reservation: heldBy(text('CapacityReservationId'), text('CapacityReservationStatus')),
    description: text('ChargeDescription'),
    sku: text('SkuPriceId') || text('SkuId'),
    usageType: usageTypeOf(text),
    instanceType,
    isMachine,
    isCompute: isMachine || instanceType !== '' || text('ServiceCategory') === 'Compute',
    gpus: details.gpus,
    time: timeOf(text),
  }
}

const CATEGORIES = ['Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment'] as const
const PRICINGS = ['Standard', 'Dynamic', 'Committed', 'Other'] as const

/** Google's own view of FOCUS writes these words in lower case. */
const oneOf = <Word extends string>(words: readonly Word[], text: string): Word | undefined =>
  words.find((word) => word.toLowerCase() === text.toLowerCase())

/** Some exports write nothing as a word. */
const given = (text = ''): string => (/^(null|none)$/iu.test(text.trim()) ? '' : text.trim())

/** The preview calls it "Unused Commitment". */
const heldBy = (id: string, status: string): FocusLine['commitment'] =>
  id === '' ? undefined : { id, status: oneOf(STATUSES, status.replace(/ Commitment$/u, '')) }

const STATUSES = ['Used', 'Unused'] as const

const TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?\s*(?:Z|UTC|\+00:?00)?$/u

/** An instant of UTC. Some exports leave out the T and the Z, which then is meant. */
function readTime(text: string): number | undefined {
  const [found, year, month, day, hours = 0, minutes = 0, seconds = 0] = TIME.exec(text) ?? []
  if (found === undefined) return undefined
  const date = dayNumber({ year: Number(year), month: Number(month), day: Number(day) })
  return (((date * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
}

type Details = { readonly instanceType: string | undefined; readonly gpus: number | undefined }

/** `SkuPriceDetails` of FOCUS 1.1 and newer, of which 1.2 fixes the keys; `x_SkuDetails` of Azure says `ServiceType`. */
function detailsOf(text: string): Details {
  const nothing = { instanceType: undefined, gpus: undefined }
  let details: unknown
  try {
    details = JSON.parse(text === '' ? 'null' : text)
  } catch {
    return nothing
  }
  if (typeof details !== 'object' || details === null) return nothing
  const of = (key: string): unknown =>
    Object.entries(details).find(([name]) => name === key || name === `x_${key}`)?.[1]
  const [instanceType, gpus] = [of('InstanceType') ?? of('ServiceType'), Number(of('GpuCount'))]
  return {
    instanceType: typeof instanceType === 'string' && instanceType !== '' ? instanceType : undefined,
    gpus: Number.isFinite(gpus) && gpus > 0 ? gpus : undefined,
  }
}

const usageTypeOf = (text: Text): string => text('x_UsageType') || text('SkuMeter')

/** Where no column of FOCUS says it. */
const machineOf = (text: Text): string =>
  SOURCES.map((source) => source(text)).find((machine) => machine !== undefined && machine !== '') ?? ''

const SOURCES: readonly ((text: Text) => string | undefined)[] = [
  (text) => (isAzureMachine(text) ? detailsOf(text('x_SkuDetails')).instanceType : undefined),
  // Google labels what it charges for with the machine that it is of.
  (text) => /"compute\.googleapis\.com\/machine_spec"(?:, *"value")?: *"([a-z\d-]+)"/u.exec(text('Tags'))?.[1],
  (text) => /:([a-z][a-z\d-]*\.[a-z\d-]+)$/u.exec(usageTypeOf(text))?.[1],
  (text) => machineIn(text('ChargeDescription')),
  // Oracle's shapes stand wherever an export puts them.
  (text) =>
    [text('ChargeDescription'), text('ResourceType'), text('ResourceName'), text('Tags')]
      .map((words) => /\b((?:BM|VM)\.GPU[\w.-]*\.\d+)\b/u.exec(words)?.[1])
      .find((shape) => shape !== undefined),
  (text) => (isAzureMachine(text) ? machineOfMeter(text('x_SkuMeterName')) : undefined),
]

const isAzureMachine = (text: Text): boolean => ['', 'Virtual Machines'].includes(text('x_SkuMeterCategory'))

/** AWS names the machine in words where FOCUS 1.0 has no column for it: "$1.624 per On Demand Linux g5.4xlarge Instance Hour". */
const machineIn = (description: string): string | undefined =>
  /\b([a-z][a-z0-9-]*\.(?:metal|nano|micro|small|medium|\d*x?large)(?:-\d+xl)?)\b/u.exec(description)?.[1] ??
  /\b(Standard_[A-Z]+\d+\w*)\b/u.exec(description)?.[1]

/** Azure's meters name the size without its prefix, "ND96isr H100 v5", "NC24ads A100 v4 Spot"; two sizes otherwise than their machines. */
function machineOfMeter(meter: string): string | undefined {
  if (meter === '') return undefined
  const size = meter.replace(/\/.*$| (?:Spot|Low Priority)$/u, '').replaceAll(' ', '_')
  return `Standard_${size.replace(/^(ND96asr)_A100(_v4)$/u, '$1$2')}`
}

const UNIT = /^(?<count>\d+(?:\.\d+)?)? *(?:one )?(?<of>gpu|ocpu)?[ _-]*(?:per )?(?<each>hour|hr|second|minute)s?$/u
const HOURS_OF: Readonly<Record<string, number>> = { hour: 1, hr: 1, second: 1 / 3600, minute: 1 / 60 }

const timeOf = (text: Text): FocusLine['time'] =>
  timeIn(text('ConsumedQuantity'), text('ConsumedUnit')) ?? timeIn(text('PricingQuantity'), text('PricingUnit'))

/** Units are "Hours", "100 Hours", "GPU Per Hour", "OCPU-Hour". */
function timeIn(quantity: string, unit: string): FocusLine['time'] {
  const { count = '1', of, each = '' } = UNIT.exec(unit.toLowerCase())?.groups ?? {}
  const hours = Number(quantity) * Number(count) * (HOURS_OF[each] ?? Number.NaN)
  if (quantity === '' || !Number.isFinite(hours)) return undefined
  return { of: of === 'gpu' || of === 'ocpu' ? of : 'machine', hours }
}
