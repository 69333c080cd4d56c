import { OPERATIONS, REPORT_FILES_PATH } from '@septet/contract'
import { DAY_MS, HOUR_MS, instant, type ActionRun } from '@septet/domain'
import { dollars } from '@septet/domain/words'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openTestSeptet, type TestSeptet } from '../../faces/open-test-septet.fixture.ts'
import { clusterSavings } from '../../savings/cluster-savings.ts'
import {
  ALL_THE_WAY,
  CHANGE,
  END,
  estimated,
  keptFrom,
  look,
  runOf,
  writePricedTruth,
} from '../../savings/scripted-usage.fixture.ts'
import { verifiedIn, verifiedSavings } from './verified-savings.ts'

let septet: TestSeptet
let admin: { authorization: string }
beforeAll(async () => {
  const environment = { SEPTET_AUTHORIZED_EMAIL: 'admin@septet.local, *@example.com' }
  septet = await openTestSeptet({ environment })
  admin = await septet.signIn('admin@septet.local')
  const { store } = septet
  await writePricedTruth(store, 'production')
  const runs: readonly ActionRun[] = [
    runOf('done', { cluster: 'production', saving: estimated(0.1 * 4 * 730), states: keptFrom(CHANGE) }),
    runOf('wished', {
      cluster: 'production',
      object: 'workload/web/Deployment/api',
      saving: estimated(730),
      states: [['approved', END - HOUR_MS]],
    }),
  ]
  for (const run of runs) await store.actions.propose(run)
  await look(store, ALL_THE_WAY, { cluster: 'production' })
})
afterAll(async () => septet.close())

async function ask<Key extends 'savingsList' | 'summaryGet' | 'reportGet'>(
  key: Key,
  { as = admin, cluster = 'production', range = '' }: { as?: typeof admin; cluster?: string; range?: string } = {},
) {
  const { path, output } = OPERATIONS[key]
  const answer = await fetch(`${septet.url}${path}?cluster=${cluster}${range}`, { headers: as })
  expect(answer.status).toBe(200)
  return output.parse(await answer.json()) as ReturnType<(typeof OPERATIONS)[Key]['output']['parse']>
}

const days = (from: number, to: number): string =>
  `&range=${[from, to].map((day) => new Date(CHANGE + day * DAY_MS).toISOString()).join('/')}`

/** What the ledger has of the action that was carried out. */
function doneIn(answer: Awaited<ReturnType<typeof ask<'savingsList'>>> | undefined) {
  const realized = answer?.savings.find(({ action }) => action === 'done')?.realized
  if (realized === undefined || realized === null) throw new Error('nothing was measured')
  return realized
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
      realized: { basis: 'held', knownHours: 335, unknownHours: 0 },
      price: { usdPerGpuHour: 2, source: 'a contract' },
    })
    const { value = 0, low, high } = done?.realized?.gpuHours ?? {}
    expect(low).toBeGreaterThan(0)
    expect(low).toBeLessThan(value)
    expect(high).toBeGreaterThan(value)
    expect(byAction.get('wished')).toMatchObject({ state: 'approved', realized: null, appliedAt: null })
  })

  test('adds capacity and bills apart, and what is estimated to neither', async () => {
    const { savings, ledger } = await ask('savingsList')
    const usd = savings.find(({ action }) => action === 'done')?.realized?.usd
    expect(ledger.billReduced).toEqual({ realized: null, estimated: null })
    expect(ledger.capacityFreed).toMatchObject({
      realized: { runs: 1, usd, unpriced: 0 },
      estimated: { runs: 1, gpuHoursPerMonth: 730, usdPerMonth: 1460 },
    })
  })

  test('of a period has the amounts of its hours, beside what was promised for as many', async () => {
    const [all, first, rest] = await Promise.all(
      ['', days(-10, 5), days(5, 20)].map((range) => ask('savingsList', { range })),
    )
    expect(doneIn(first).gpuHours.value + doneIn(rest).gpuHours.value).toBeCloseTo(doneIn(all).gpuHours.value, 6)
    expect(doneIn(first).promised?.gpuHours).toBeCloseTo(0.1 * 4 * 119, 6)
    expect(first?.ledger.capacityFreed.realized).toMatchObject({
      usd: doneIn(first).usd,
      promised: { usd: expect.closeTo(0.1 * 4 * 119 * 2, 6) },
    })
    expect(first?.savings.map(({ action, state }) => [action, state])).toContainEqual(['wished', 'approved'])
    const before = await ask('savingsList', { range: days(-10, 0) })
    expect(before.savings.map(({ action }) => action)).toEqual(['wished'])
    expect(before.ledger.capacityFreed.realized).toBeNull()
  })

  test('is empty, and not 0, for a cluster without actions and for sample data', async () => {
    for (const cluster of ['demo', 'sample']) {
      const none = { realized: null, estimated: null }
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
    const { value, low, high } = ledger.capacityFreed.realized?.usd ?? {}
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

describe('the months', () => {
  test('add up to what was freed in all, and those without any of it have no 0', async () => {
    const known = await clusterSavings(septet.store.actions, 'production')
    const freedIn = (from: number, to: number) =>
      verifiedIn(known, { from: instant(CHANGE + from * DAY_MS), to: instant(CHANGE + to * DAY_MS) }).freed
    const parts = [freedIn(0, 5), freedIn(5, 14)].map(({ value }) => value ?? 0)
    expect(parts.every((part) => part > 0)).toBe(true)
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(verifiedSavings(known).freed.value ?? 0, 6)
    expect(freedIn(-10, 0)).toMatchObject({ value: null, because: 'No savings were verified in this month.' })
  })

  test('and the summary say in GPU-hours what has no price, and what is not in it', async () => {
    const known = (await clusterSavings(septet.store.actions, 'production')).map((each) => ({
      ...each,
      price: undefined,
      saving: {
        ...each.saving,
        ...(each.saving.realized && { realized: { ...each.saving.realized, usd: undefined, unknownHours: 12 } }),
      },
    }))
    const { freed } = verifiedSavings(known)
    expect(freed).toMatchObject({
      unit: 'GPU-h',
      quality: 'partial',
      because: '12 hours after the changes could not be compared and are not in it.',
    })
    expect(freed.value).toBeCloseTo((await ask('savingsList')).ledger.capacityFreed.realized?.gpuHours.value ?? 0, 6)
  })

  test('say that it is being measured, and that it was no more than chance', async () => {
    const [, done] = (await clusterSavings(septet.store.actions, 'production')).toSorted((a, b) =>
      a.run.id < b.run.id ? 1 : -1,
    )
    if (done === undefined) throw new Error('there is none')
    const as = (state: 'applied' | 'failed' | 'reverted', run = done.run) =>
      verifiedSavings([{ ...done, run, saving: { ...done.saving, state } }]).freed.because
    expect(as('applied')).toBe('Nothing verified yet: 1 change is being measured, which takes a week or more.')
    expect(as('failed')).toBe('Nothing verified: no change saved more than chance could explain.')
    expect(as('reverted')).toBe('Nothing verified: the changes were reverted.')
    const refused = runOf('refused', {
      states: [
        ['approved', CHANGE],
        ['failed', CHANGE + HOUR_MS],
      ],
    })
    expect(as('failed', refused)).toBe('Nothing verified yet: Septet has not applied a change to this cluster.')
  })
})

const file = (name: string): Promise<Response> =>
  fetch(`${septet.url}${REPORT_FILES_PATH}/${name}?cluster=production`, { headers: admin })

describe('the report', () => {
  test('has every action with its estimate and what was realized in the PDF', async () => {
    const { savings } = await ask('reportGet')
    const done = savings?.savings.find(({ action }) => action === 'done')
    const document = await getDocumentProxy(new Uint8Array(await (await file('pdf')).arrayBuffer()))
    const { text } = await extractText(document, { mergePages: true })
    const words = text.replaceAll(/\s+/gu, ' ')
    const { value = NaN, low, high } = done?.realized?.usd ?? {}
    const [ends, sum] = [[low, high].map((end) => dollars(Number(end))).join(' to '), dollars(value)]
    expect(words).toContain(`${sum} of capacity freed, verified`)
    for (const part of [
      'What Septet did',
      'Verified savings',
      'Do done It saves what was estimated. Verified',
      '$584/mo',
      `${sum} of capacity freed, ${ends}`,
    ])
      expect(words).toContain(part)
    expect(words).toContain('none verified')
  })

  test('has them as CSV, with empty cells for what is not known', async () => {
    const [head = '', ...rows] = (await (await file('savings')).text()).trimEnd().split('\r\n')
    const columns = head.split(',')
    const cellsOf = (id: string): Record<string, string> => {
      const cells = rows.find((row) => row.startsWith(`${id},`))?.split(',') ?? []
      return Object.fromEntries(columns.map((column, order) => [column, cells[order] ?? '']))
    }
    const { savings } = await ask('savingsList')
    const realized = savings.find(({ action }) => action === 'done')?.realized
    expect(cellsOf('done')).toMatchObject({
      state: 'verified',
      estimated_usd_per_month: '584',
      realized_usd: String(realized?.usd?.value),
      realized_usd_low: String(realized?.usd?.low),
      known_hours: '335',
      usd_per_gpu_h: '2',
    })
    expect(cellsOf('wished')).toMatchObject({ state: 'approved', realized_usd: '', known_hours: '' })
  })

  test('of the time of the changes tells what Septet did in it, in the PDF, as CSV and in JSON', async () => {
    const range = `${new Date(CHANGE - DAY_MS).toISOString()}/${new Date(END).toISOString()}`
    const fileOf = (name: string): Promise<Response> =>
      fetch(`${septet.url}${REPORT_FILES_PATH}/${name}?cluster=production&range=${range}`, { headers: admin })
    const { did } = await ask('reportGet', { range: `&range=${range}` })
    expect(did?.says).toMatch(
      /^Of 2 actions 1 change was applied, 1 is under way\. .* Capacity freed: \$\d+ \(.*\) measured/u,
    )
    const csv = await (await fileOf('actions')).text()
    expect(csv).toMatch(/^done,reclaim-idle,workload\/ml\/Deployment\/vllm,Do done,kept,/mu)
    const document = await getDocumentProxy(new Uint8Array(await (await fileOf('pdf')).arrayBuffer()))
    const { text } = await extractText(document, { mergePages: true })
    expect(text.replaceAll(/\s+/gu, ' ')).toContain('1 change was applied, 1 is under way.')
  })

  test('of some namespaces tells of no action', async () => {
    const answer = await fetch(`${septet.url}/api/v1/report?cluster=production&namespaces=team`, { headers: admin })
    expect(OPERATIONS.reportGet.output.parse(await answer.json()).savings).toBeNull()
  })
})
