import { OPERATIONS } from '@septet/contract'
import { instant, usdPerGpuHour, type ActionRun } from '@septet/domain'
import { SCRIPT, scriptedTruth } from '@septet/domain/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openTestSeptet, type TestSeptet } from '../../faces/open-test-septet.fixture.ts'
import {
  ALL_THE_WAY,
  CHANGE,
  END,
  estimated,
  HOUR,
  keptFrom,
  look,
  runOf,
  writeHours,
} from '../../savings/scripted-usage.fixture.ts'

let septet: TestSeptet
let admin: { authorization: string }
beforeAll(async () => {
  const environment = { SEPTET_AUTHORIZED_EMAIL: 'admin@septet.local, *@example.com' }
  septet = await openTestSeptet({ environment })
  admin = await septet.signIn('admin@septet.local')
  const { store } = septet
  await store.prices.put({
    id: 'own',
    cluster: undefined,
    pool: undefined,
    model: undefined,
    price: usdPerGpuHour(2),
    source: 'a contract',
    asOf: instant(CHANGE),
    origin: 'operator',
  })
  const truth = scriptedTruth({ ...SCRIPT, level: 4, weeksBefore: 2, weeksAfter: 2 })
  await writeHours(store.usage, [...truth.baseline.heldByHour, ...truth.after.heldByHour], 'production')
  const runs: readonly ActionRun[] = [
    runOf('done', { cluster: 'production', saving: estimated(0.1 * 4 * 730), states: keptFrom(CHANGE) }),
    runOf('wished', {
      cluster: 'production',
      object: 'workload/web/Deployment/api',
      saving: estimated(730),
      states: [['approved', END - HOUR]],
    }),
  ]
  for (const run of runs) await store.actions.propose(run)
  await look(store, ALL_THE_WAY, 'production')
})
afterAll(async () => septet.close())

async function ask<Key extends 'savingsList' | 'summaryGet' | 'reportGet'>(
  key: Key,
  { as = admin, cluster = 'production' }: { as?: typeof admin; cluster?: string } = {},
) {
  const { path, output } = OPERATIONS[key]
  const answer = await fetch(`${septet.url}${path}?cluster=${cluster}`, { headers: as })
  expect(answer.status).toBe(200)
  return output.parse(await answer.json()) as ReturnType<(typeof OPERATIONS)[Key]['output']['parse']>
}

describe('savings.list', () => {
  test('tells what each action saved, with its interval, and what the others are only estimated at', async () => {
    const { savings } = await ask('savingsList')
    const byAction = new Map(savings.map((saving) => [saving.action, saving]))
    const done = byAction.get('done')
    expect(done).toMatchObject({
      state: 'verified',
      because: 'It saves what was estimated.',
      effect: 'capacity-freed',
      object: 'workload/ml/Deployment/vllm',
      estimate: { gpuHoursPerMonth: 292, usdPerMonth: 584 },
      realised: { basis: 'held', knownHours: 335, unknownHours: 0 },
      price: { usdPerGpuHour: 2, source: 'a contract' },
    })
    const { value = 0, low, high } = done?.realised?.gpuHours ?? {}
    expect(low).toBeGreaterThan(0)
    expect(low).toBeLessThan(value)
    expect(high).toBeGreaterThan(value)
    expect(byAction.get('wished')).toMatchObject({ state: 'approved', realised: null, appliedAt: null })
  })

  test('adds capacity and bills apart, and what is estimated to neither', async () => {
    const { savings, ledger } = await ask('savingsList')
    const usd = savings.find(({ action }) => action === 'done')?.realised?.usd
    expect(ledger.billReduced).toEqual({ realised: null, estimated: null })
    expect(ledger.capacityFreed).toMatchObject({
      realised: { runs: 1, usd, unpriced: 0 },
      estimated: { runs: 1, gpuHoursPerMonth: 730, usdPerMonth: 1460 },
    })
  })

  test('is empty, and not 0, for a cluster without actions and for sample data', async () => {
    for (const cluster of ['demo', 'sample']) {
      const none = { realised: null, estimated: null }
      expect(await ask('savingsList', { cluster })).toMatchObject({
        savings: [],
        ledger: { capacityFreed: none, billReduced: none },
      })
    }
  })
})

describe('the summary', () => {
  test('says what was freed in truth with its interval, beside what is estimated, and that no bill has fallen', async () => {
    const [{ ledger }, { savings }] = [await ask('savingsList'), await ask('summaryGet')]
    const { value, low, high } = ledger.capacityFreed.realised?.usd ?? {}
    expect(savings.freed).toMatchObject({ value, unit: 'USD', quality: 'measured', interval: { low, high } })
    expect(savings.verified).toMatchObject({
      value: null,
      because: 'Nothing verified: a bill falls only when a node goes, and Septet has removed none.',
    })
  })

  test('of namespaces has what their own workloads freed, and nothing of others', async () => {
    const people = { ml: await septet.signIn('ml@example.com'), web: await septet.signIn('web@example.com') }
    for (const [namespace, { authorization }] of Object.entries(people)) {
      expect(authorization).not.toBe('')
      await fetch(`${septet.url}/api/v1/members/${namespace}@example.com`, {
        method: 'PUT',
        headers: { ...admin, 'content-type': 'application/json' },
        body: JSON.stringify({ role: 'viewer', namespaces: [namespace] }),
      })
    }
    expect((await ask('summaryGet', { as: people.ml })).savings.freed.value).toBeGreaterThan(0)
    expect((await ask('summaryGet', { as: people.web })).savings.freed).toMatchObject({
      value: null,
      because: 'Nothing verified yet: Septet has not applied a change to this cluster.',
    })
  })

  test('says so where no change was applied', async () => {
    expect((await ask('summaryGet', { cluster: 'demo' })).savings.freed).toMatchObject({
      value: null,
      quality: 'unknown',
      because: 'Nothing verified yet: Septet has not applied a change to this cluster.',
    })
  })
})
