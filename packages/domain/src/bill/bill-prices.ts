import { startOfMonth } from '../cost/months.ts'
import type { PriceEntry } from '../cost/price.ts'
import { plural } from '../words.ts'
import { compareText, instant, type Instant, usdPerGpuHour } from '../units.ts'
import type { Bill } from './bill.ts'
import type { BilledMachines } from './bill-amounts.ts'

/**
 * The price of a GPU-hour on a bill: the effective cost of all hours of one machine type, region and capacity type, with
 * commitments and fees in advance spread over what they cover, in each month. Where the bill charges GPUs by themselves, of
 * one GPU model. Holds from the first of the month on. `usdPerUnit` is what one
 * unit of the bill's currency is in US dollars; throws for a bill that is not in dollars where it is left out.
 */
export function billPrices(
  { machines, currency, period }: Pick<Bill, 'machines' | 'currency' | 'period'>,
  usdPerUnit?: number,
): readonly PriceEntry[] {
  if (currency !== 'USD' && usdPerUnit === undefined) {
    throw new Error(`The bill is in ${currency}, and prices are in USD. Give the rate: US dollars for one ${currency}.`)
  }
  return machines
    .map((each) => priceEntry(each, usdPerUnit ?? 1, period?.to ?? instant(0)))
    .toSorted((a, b) => compareText(a.id, b.id))
}

function priceEntry({ hours, amounts, prepaid, gpus, ...of }: BilledMachines, rate: number, asOf: Instant): PriceEntry {
  const { provider, instanceType, model, region, capacity, month } = of
  const price = ((Number(amounts.effective + prepaid) / 1e9) * rate) / (hours * gpus)
  const name = [instanceType, model].filter((part) => part !== undefined && part !== '').join('-')
  const counted =
    instanceType === '' ? plural(Math.round(hours * gpus), 'GPU-hour') : plural(Math.round(hours), 'machine-hour')
  return {
    id: `bill-${month}-${slug(name)}-${slug(region)}-${capacity}`.slice(0, 63),
    cluster: undefined,
    pool: undefined,
    model,
    instanceType: instanceType === '' ? undefined : instanceType,
    region: region === '' ? undefined : region,
    capacity,
    effectiveFrom: instant(startOfMonth(month)),
    price: usdPerGpuHour(nearestMillionth(price)),
    source: `bill of ${provider || 'a cloud'} for ${month}, effective cost of ${counted}${prepaid === 0n ? '' : ', with fees paid in advance'}`,
    asOf,
    origin: 'operator',
  }
}

/** Half rounds up, in whatever order the hours were added: what the last digits of a double say is left out first. */
const nearestMillionth = (price: number): number => Math.round(Number((price * 1e6).toPrecision(15))) / 1e6

const slug = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9.]+/gu, '-')
