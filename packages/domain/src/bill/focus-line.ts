import { dayNumber } from '../analyze/civil-date.ts'
import { instant, type Window } from '../units.ts'
import { type Nanos, readNanos } from './exact-money.ts'

/** One charge of a bill in FOCUS 1.0 to 1.2, as far as Septet reads it. */
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
  /** Empty where nothing says it. */
  readonly instanceType: string
  /** Whether the bill calls the resource a virtual machine, of whatever type. */
  readonly isMachine: boolean
  /** Undefined where the bill does not say it, which most do not. */
  readonly gpus: number | undefined
  /** Machine-hours; undefined where the charge is not for hours. */
  readonly hours: number | undefined
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

/** Reads one record; what is wrong with it, in words, where it cannot be read. */
export function readFocusLine(record: FocusRecord): FocusLine | { readonly flaw: string } {
  const text = (column: string): string => given(record[column])
  const [billed, effective] = [readNanos(text('BilledCost')), readNanos(text('EffectiveCost'))]
  const [from, to] = [readTime(text('ChargePeriodStart')), readTime(text('ChargePeriodEnd'))]
  const category = CATEGORIES.find((known) => known === text('ChargeCategory'))
  if (billed === undefined) return { flaw: `BilledCost is "${text('BilledCost')}"` }
  if (effective === undefined) return { flaw: `EffectiveCost is "${text('EffectiveCost')}"` }
  if (from === undefined) return { flaw: `ChargePeriodStart is "${text('ChargePeriodStart')}"` }
  if (to === undefined) return { flaw: `ChargePeriodEnd is "${text('ChargePeriodEnd')}"` }
  if (category === undefined) return { flaw: `ChargeCategory is "${text('ChargeCategory')}"` }
  const details = detailsOf(text('SkuPriceDetails'))
  return {
    billed,
    effective,
    list: readNanos(text('ListCost')) ?? billed,
    currency: text('BillingCurrency'),
    period: { from: instant(from), to: instant(to) },
    category,
    isCorrection: text('ChargeClass') === 'Correction',
    pricing: PRICINGS.find((known) => known === text('PricingCategory')),
    provider: text('ProviderName'),
    service: text('ServiceName'),
    region: text('RegionId'),
    resource: text('ResourceId'),
    commitment: heldBy(text('CommitmentDiscountId'), text('CommitmentDiscountStatus')),
    reservation: heldBy(text('CapacityReservationId'), text('CapacityReservationStatus')),
    instanceType: details.instanceType ?? machineOf(text),
    isMachine: /^(?:virtual machine|instance\b)/iu.test(text('ResourceType')),
    gpus: details.gpus,
    hours: hoursOf(text),
  }
}

const CATEGORIES = ['Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment'] as const
const PRICINGS = ['Standard', 'Dynamic', 'Committed', 'Other'] as const

/** Some exports write nothing as a word. */
const given = (text = ''): string => (/^(null|none)$/iu.test(text.trim()) ? '' : text.trim())

const heldBy = (id: string, status: string): FocusLine['commitment'] =>
  id === '' ? undefined : { id, status: status === 'Used' || status === 'Unused' ? status : undefined }

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

/** Where no column of FOCUS says it. */
const machineOf = (text: (column: string) => string): string =>
  detailsOf(text('x_SkuDetails')).instanceType ??
  (machineIn(text('ChargeDescription')) ||
    (text('x_SkuMeterCategory') === 'Virtual Machines' ? machineOfMeter(text('x_SkuMeterName')) : ''))

/** AWS names the machine in words where FOCUS 1.0 has no column for it: "$1.624 per On Demand Linux g5.4xlarge Instance Hour". */
const machineIn = (description: string): string =>
  /\b([a-z][a-z0-9-]*\.(?:metal|nano|micro|small|medium|\d*x?large)(?:-\d+xl)?)\b/u.exec(description)?.[1] ??
  /\b(Standard_[A-Z]+\d+\w*)\b/u.exec(description)?.[1] ??
  ''

/** Azure's meters name the size without its prefix: "ND96isr H100 v5", "NC24ads A100 v4 Spot". */
const machineOfMeter = (meter: string): string =>
  `Standard_${meter.replace(/\/.*$| (?:Spot|Low Priority)$/u, '').replaceAll(' ', '_')}`

const HOURS_OF: Readonly<Record<string, number>> = { hour: 1, hr: 1, hrs: 1, second: 1 / 3600, minute: 1 / 60 }

function hoursOf(text: (column: string) => string): number | undefined {
  for (const [quantity, unit] of [
    ['ConsumedQuantity', 'ConsumedUnit'],
    ['PricingQuantity', 'PricingUnit'],
  ] as const) {
    const each = HOURS_OF[text(unit).toLowerCase().replace(/s$/u, '')]
    const count = text(quantity) === '' ? Number.NaN : Number(text(quantity))
    if (each !== undefined && Number.isFinite(count)) return count * each
  }
  return undefined
}
