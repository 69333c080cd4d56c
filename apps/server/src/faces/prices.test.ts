import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openTestSeptet, type TestSeptet } from './open-test-septet.fixture.ts'

let septet: TestSeptet
let headers: Record<string, string>
beforeAll(async () => {
  septet = await openTestSeptet({ environment: {} })
  headers = { ...(await septet.signIn('admin@septet.local')), 'content-type': 'application/json' }
})
afterAll(() => septet.close())

const put = async (id: string, body: object): Promise<{ status: number; body: Record<string, unknown> }> => {
  const answer = await fetch(`${septet.url}/api/v1/prices/${id}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

/** How many shipped prices are told. */
const listed = async (query: string): Promise<number> => {
  const answer = await fetch(`${septet.url}/api/v1/prices${query}`, { headers })
  const { prices } = (await answer.json()) as { prices: { origin: string }[] }
  return prices.filter(({ origin }) => origin === 'shipped').length
}

const HARDWARE = {
  purchaseUsd: 364_550,
  residualUsd: 0,
  gpus: 8,
  lifeYears: 4,
  powerKw: 8.5,
  pue: 1.5,
  usdPerKwh: 0.1,
  hostingUsdPerMonth: 1320,
}

describe('prices people recognize', () => {
  test('are for an instance type, a region and a capacity type, from a day on', async () => {
    const set = await put('p5-spot', {
      instanceType: 'p5.48xlarge',
      region: 'us-east-1',
      capacity: 'spot',
      effectiveFrom: '2026-10-01',
      usdPerGpuHour: 3.1,
      source: 'spot of October',
    })
    expect(set).toMatchObject({
      status: 200,
      body: { instanceType: 'p5.48xlarge', capacity: 'spot', effectiveFrom: '2026-10-01T00:00:00.000Z' },
    })
    const [entry] = await septet.store.prices.list()
    expect(entry).toMatchObject({ region: 'us-east-1', effectiveFrom: Date.UTC(2026, 9, 1) })
  })

  test('of owned machines are reckoned from the hardware, which is kept', async () => {
    const set = await put('cellar', { pool: 'cellar', capacity: 'owned', owned: HARDWARE, source: 'quotation of May' })
    expect(set.body).toMatchObject({ owned: HARDWARE, capacity: 'owned' })
    expect(set.body['usdPerGpuHour']).toBeCloseTo(1.686, 3)
  })

  test('are one: a price beside hardware, or neither, is refused with what to do', async () => {
    for (const body of [{ source: 'nothing' }, { usdPerGpuHour: 2, owned: HARDWARE, source: 'both' }]) {
      const refused = await put('odd', body)
      expect(refused.status).toBe(400)
      expect(JSON.stringify(refused.body)).toContain('Set usdPerGpuHour or owned, not both.')
    }
    const upside = await put('odd', { owned: { ...HARDWARE, residualUsd: 400_000 }, source: 'worth more later' })
    expect(upside.status).toBe(400)
  })

  test('as shipped are told for machines that are here, and for all when asked', async () => {
    expect(await listed('')).toBeLessThan(100)
    expect(await listed('?machines=all')).toBeGreaterThan(1000)
  })
})
