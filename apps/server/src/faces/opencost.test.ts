import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { openTestSeptet, type TestSeptet } from './open-test-septet.fixture.ts'

let septet: TestSeptet
let openCost: Server
let admin: { authorization: string }

/** Half the hours for the node that Septet saw for two, a third of its price for the GPU. */
const NODE = { type: 'Node', properties: { name: 'a' }, nodeType: '', GPUHours: 1, gpuCost: 2, totalCost: 6 }

beforeAll(async () => {
  openCost = createServer((request, response) => {
    const data = request.url?.startsWith('/assets') === true ? { node: NODE } : [{ team: { gpuHours: 1, gpuCost: 2 } }]
    response.end(JSON.stringify({ code: 200, data }))
  })
  await new Promise<void>((resolve) => openCost.listen(0, '127.0.0.1', resolve))
  septet = await openTestSeptet({ environment: { SEPTET_AUTHORIZED_EMAIL: 'admin@septet.local' } })
  admin = await septet.signIn('admin@septet.local')
})
afterAll(async () => {
  openCost.closeAllConnections()
  openCost.close()
  await septet.close()
})

const compared = async (): Promise<{ status: number; body: Record<string, unknown> }> => {
  const answer = await fetch(`${septet.url}/api/v1/opencost?cluster=production&range=7d`, { headers: admin })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const put = (address: string | null, cluster = 'production') =>
  fetch(`${septet.url}/api/v1/opencost/${cluster}`, {
    method: 'PUT',
    headers: { ...admin, 'content-type': 'application/json' },
    body: JSON.stringify({ address }),
  })

test('until somebody says where OpenCost answers there is nothing to compare', async () => {
  expect((await compared()).body).toMatchObject({ address: null, nodes: [], namespaces: [] })
})

test('its figures stand beside ours, and the difference is split to the cent and explained', async () => {
  const address = `http://127.0.0.1:${(openCost.address() as AddressInfo).port}`
  expect((await put(address)).status).toBe(200)
  const { body } = await compared()
  expect(body).toMatchObject({
    address,
    nodes: [
      {
        name: 'a',
        ours: { gpuHours: 2, cost: expect.any(Number) as number },
        theirs: { gpuHours: 1, cost: 6 },
        theirGpuCost: 2,
        because: expect.arrayContaining([expect.stringContaining('1.0 GPU-hours less')]) as string[],
      },
    ],
    namespaces: [{ name: 'team', ours: { gpuHours: 2 }, theirs: { gpuHours: 1, cost: 2 } }],
  })
  const [node] = body['nodes'] as { ours: { cost: number }; difference: Record<'hours' | 'host' | 'price', number> }[]
  const { hours = 0, host = 0, price = 0 } = node?.difference ?? {}
  expect(hours + host + price).toBeCloseTo((node?.ours.cost ?? 0) - 2, 2)
})

test('one that does not answer is a refusal that says so, and no figures', async () => {
  await put('http://127.0.0.1:1')
  const { status, body } = await compared()
  expect([status, body['detail']]).toEqual([503, expect.stringContaining('OpenCost did not answer')])
})

test('an address that is none, or for a cluster that is not here, is refused; taken away it is gone', async () => {
  expect((await put('file:///etc/passwd')).status).toBe(400)
  expect((await put('http://127.0.0.1:9003', 'elsewhere')).status).toBe(404)
  expect((await put(null)).status).toBe(200)
  expect((await compared()).body).toMatchObject({ address: null })
})
