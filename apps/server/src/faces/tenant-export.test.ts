import { OPERATIONS, type OutputOf, type tenantsExport } from '@septet/contract'
import { instant, type ClusterRecord } from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { factsOf } from '../operations/answering/facts.fixture.ts'
import { openTestSeptet, type TestSeptet } from './open-test-septet.fixture.ts'

const recordOf = (id: string): ClusterRecord => ({
  id,
  name: `Cluster ${id}`,
  kind: 'cluster',
  createdAt: instant(0),
})
const east = factsOf(draw`a  H100-80GB-HBM3  [lab-one/x]  b  A100-SXM4-40GB  [other/y]`, [], recordOf('east'))
const west = factsOf(draw`c  T4-16GB  [other/y]`, [], recordOf('west'))
/** One that was added a moment ago. */
const fresh = { ...east, record: recordOf('new'), analysis: async () => undefined, asOf: () => undefined }

let septet: TestSeptet
let admin: { authorization: string }
let viewer: { authorization: string }
beforeAll(async () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it knows less than the facts that it is made of
  const clusters = [east, west, fresh as typeof east]
  septet = await openTestSeptet({
    facts: { clusters: () => clusters },
    environment: { SEPTET_AUTHORIZED_EMAIL: 'ann@septet.local, *@example.com' },
  })
  admin = await septet.signIn('ann@septet.local')
  viewer = await septet.signIn('viewer@example.com')
  await call('PUT /api/v1/tenants', {
    tenants: [
      { name: 'lab', namespaces: ['lab-*'] },
      { name: 'gold', labels: { tier: 'gold' } },
    ],
  })
  const budget = { cluster: 'east', usdPerMonth: 100, zone: 'UTC' }
  await call('PUT /api/v1/budgets/lab', { ...budget, scope: 'tenant', name: 'lab' })
  await call('PUT /api/v1/budgets/other', { ...budget, scope: 'namespace', name: 'other' })
})
afterAll(() => septet.close())

const call = (route: string, body: object, as = admin): Promise<Response> =>
  fetch(`${septet.url}${route.split(' ')[1]}`, {
    method: route.split(' ')[0] ?? '',
    headers: { ...as, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const exported = async (tenant: string): Promise<OutputOf<typeof tenantsExport>> => {
  const answer = await call('POST /api/v1/tenants/export', { tenant, range: '24h' })
  return OPERATIONS.tenantsExport.output.parse(await answer.json())
}

test('what is kept of a tenant is told at once: its rule, its budgets, and what it held and cost in each cluster', async () => {
  const { rule, budgets, clusters } = await exported('lab')
  expect(rule).toEqual({ name: 'lab', namespaces: ['lab-*'], labels: {} })
  expect(budgets.map(({ id }) => id)).toEqual(['lab'])
  const [held, nothing, unknown] = clusters
  // The same as the cost screen says, and nothing of what others held.
  const shown = await fetch(`${septet.url}/api/v1/cost?cluster=east&range=24h&by=tenant`, { headers: admin })
  const group = OPERATIONS.costBreakdown.output.parse(await shown.json()).groups.find(({ key }) => key === 'lab')
  expect(group?.gpuHours.capacity).toBeGreaterThan(1.8)
  expect(held).toMatchObject({ cluster: 'east', name: 'Cluster east', observedSeconds: 7200 })
  expect({ id: group?.id, key: 'lab', kind: 'named', ...held?.total }).toEqual(group)
  expect(held?.workloads.map(({ gpuHours }) => gpuHours.capacity)).toEqual([group?.gpuHours.capacity])
  expect(JSON.stringify(clusters)).not.toContain('other')
  // Nothing held and nothing known are two things, and neither is 0.
  expect(nothing).toMatchObject({ total: null, observedSeconds: 7200 })
  expect(nothing?.notes.at(-1)).toBe('The tenant held no GPU in the time that has usage data.')
  expect((await exported('gold')).clusters[0]?.notes.at(-1)).toMatch(/ended before Septet read its labels/u)
  expect(unknown).toMatchObject({ total: null, observedSeconds: null, notes: [expect.any(String)] })
})

test('is for admins, is written down, and names a tenant that is not there', async () => {
  expect((await call('POST /api/v1/tenants/export', { tenant: 'lab' }, viewer)).status).toBe(403)
  const missing = await call('POST /api/v1/tenants/export', { tenant: 'nobody' })
  expect([missing.status, await missing.text()]).toEqual([404, expect.stringContaining('No tenant is called')])
  const audit = await (await fetch(`${septet.url}/api/v1/audit`, { headers: admin })).text()
  expect(audit).toContain('tenants.export')
})
