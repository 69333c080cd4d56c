import { pricesPut } from '@septet/contract'
import { errorText, plural } from '@septet/domain/words'
import { billPrices, type PriceEntry } from '@septet/domain'

import { numberOf, parseOptions, UsageError } from '../options/command-options.ts'
import { requestOperation } from '../served/ask-operation.ts'
import type { Environment } from '../served/kept-servers.ts'
import { serverToAsk } from '../served/server-to-ask.ts'
import { readBills } from './read-bill-files.ts'

const PRICES_HELP = `septet prices --bill FILE [--rate 1.08] [--server URL]

Reads GPU-hour prices from a cloud bill in FOCUS format, by machine type, region, purchase option and month. With
--server it saves them in that server's price book; without it, it prints them as JSON and sends nothing.

  --bill FILE         CSV, CSV with gzip, or Parquet; repeat for a bill in several files
  --rate 1.08         US dollars per unit of the bill's currency, if it is not in dollars
  --server URL        the Septet server; needs an admin's API token in SEPTET_TOKEN`

/** `septet prices`: a bill becomes entries of the price book. The bill itself is not sent. */
export async function runPrices(args: readonly string[], environment: Environment): Promise<string> {
  if (args.includes('--help')) return `${PRICES_HELP}\n`
  const { bill = [], rate, server } = parseOptions(args, OPTIONS)
  if (bill.length === 0) throw new UsageError('Name the bill: --bill FILE.')
  const usdPerUnit =
    rate === undefined ? undefined : numberOf('--rate', rate, { least: 0.000_001, most: 1_000_000, whole: false })
  const whom = server === undefined ? undefined : serverToAsk(server, environment)
  const prices = billPrices(await readBills(bill), usdPerUnit).map(orderOf)
  if (whom === undefined) return `${JSON.stringify({ prices }, undefined, 2)}\n`
  for (const [index, { id, ...price }] of prices.entries()) {
    await requestOperation(pricesPut, { id, ...price }, whom).catch((error: unknown) => {
      throw new Error(`${errorText(error)} ${index} of ${plural(prices.length, 'price')} were set before that.`)
    })
  }
  return `${plural(prices.length, 'price')} set.\n`
}

const OPTIONS = {
  bill: { type: 'string', multiple: true },
  rate: { type: 'string' },
  server: { type: 'string' },
} as const

const orderOf = ({ id, model, instanceType, region, capacity, effectiveFrom, price, source }: PriceEntry) => ({
  id,
  model,
  instanceType,
  region,
  capacity,
  effectiveFrom: new Date(effectiveFrom ?? 0).toISOString().slice(0, 10),
  usdPerGpuHour: price,
  source,
})
