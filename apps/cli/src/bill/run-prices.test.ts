import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { UsageError } from '../options/command-options.ts'
import { runPrices } from './run-prices.ts'

const COLUMNS = 'BilledCost,EffectiveCost,BillingCurrency,ChargeCategory,ChargePeriodStart,ChargePeriodEnd'
const BILL = `${COLUMNS},PricingCategory,ConsumedQuantity,ConsumedUnit,RegionId,ResourceId,ChargeDescription,ProviderName
55.04,55.04,USD,Usage,2026-07-20T13:00:00Z,2026-07-20T14:00:00Z,Standard,1,Hours,us-east-1,i-1,one p5.48xlarge hour,AWS
22,22,USD,Usage,2026-07-20T13:00:00Z,2026-07-20T14:00:00Z,Dynamic,1,Hours,us-east-1,i-2,one p5.48xlarge hour,AWS
`

let folder: string
let bill: string
let server: Server
let address: string
const as = (token: string) => ({ XDG_CONFIG_HOME: folder, SEPTET_TOKEN: token })
const heard: { readonly line: string; readonly body: unknown }[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'septet-prices-'))
  bill = join(folder, 'bill.csv.gz')
  writeFileSync(bill, gzipSync(BILL))
  server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      heard.push({ line: `${request.method} ${request.url}`, body: JSON.parse(body) })
      response.statusCode = request.headers.authorization === 'Bearer spt_admin' ? 200 : 403
      const problem = { type: '/api', title: 'Not allowed', status: 403, code: 'forbidden' }
      response.end(JSON.stringify({ ...problem, detail: 'Prices are set by admins.', todo: 'Ask one of them.' }))
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

describe('septet prices', () => {
  test('puts the prices of a bill into the price book, and nothing else of it', async () => {
    heard.length = 0
    expect(await runPrices(['--bill', bill, '--server', address], as('spt_admin'))).toBe('2 prices set.\n')
    expect(heard).toEqual([
      {
        line: 'PUT /api/v1/prices/bill-2026-07-p5.48xlarge-us-east-1-on-demand',
        body: {
          instanceType: 'p5.48xlarge',
          region: 'us-east-1',
          capacity: 'on-demand',
          effectiveFrom: '2026-07-01',
          usdPerGpuHour: 6.88,
          source: 'bill of AWS for 2026-07, effective cost of 1 machine-hour',
        },
      },
      { line: expect.stringMatching(/-spot$/u), body: expect.objectContaining({ usdPerGpuHour: 2.75 }) },
    ])
  })

  test('prints them where no server is named', async () => {
    const { prices } = JSON.parse(await runPrices(['--bill', bill], {})) as { prices: unknown[] }
    expect(prices).toHaveLength(2)
  })

  test('says in the server’s words why it may not, and how many were set', async () => {
    await expect(runPrices(['--bill', bill, '--server', address], as('spt_viewer'))).rejects.toThrow(
      'Prices are set by admins. Ask one of them. 0 of 2 prices were set before that.',
    )
  })

  test.each([
    [[], 'Name the bill'],
    [['--bill', '/nowhere.csv'], 'There is no file /nowhere.csv.'],
    [['--bill', 'x.csv', '--rate', '0'], '--rate is "0" but must be a number'],
  ])('%j is refused in words', async (args, words) => {
    await expect(runPrices(args, {})).rejects.toThrow(UsageError)
    await expect(runPrices(args, {})).rejects.toThrow(words)
  })
})
