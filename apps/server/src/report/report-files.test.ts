import { dollars, percent } from '@septet/domain/words'
import { OPERATIONS, REPORT_FILES, REPORT_FILES_PATH, type OutputOf, type reportGet } from '@septet/contract'
import { figureWords } from '@septet/contract/figure-words'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openTestSeptet, type TestSeptet } from '../faces/open-test-septet.fixture.ts'

type Report = OutputOf<typeof reportGet>

let septet: TestSeptet
let admin: { authorization: string }
beforeAll(async () => {
  septet = await openTestSeptet({})
  admin = await septet.signIn('admin@septet.local')
})
afterAll(() => septet.close())

const get = (path: string, headers = admin): Promise<Response> => fetch(`${septet.url}${path}`, { headers })
const file = (name: string, query: string): Promise<Response> => get(`${REPORT_FILES_PATH}/${name}?${query}`)
const report = async (query: string): Promise<Report> =>
  OPERATIONS.reportGet.output.parse(await (await get(`/api/v1/report?${query}`)).json())

async function pdfText(query: string): Promise<{ text: string; pages: number }> {
  const answer = await file('pdf', query)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  const document = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()))
  const { text, totalPages } = await extractText(document, { mergePages: true })
  return { text: text.replaceAll(/\s+/gu, ' '), pages: totalPages }
}

const csvRows = async (name: string, query: string): Promise<Record<string, string>[]> => {
  const [head = [], ...rows] = parseCsv(await (await file(name, query)).text())
  return rows.map((row) => Object.fromEntries(head.map((column, index) => [column, row[index] ?? ''])))
}

/** RFC 4180, read by other code than what wrote it. */
function parseCsv(text: string): string[][] {
  return text
    .trimEnd()
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/gu)].map(
        ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
      ),
    )
}

const visit = (name: string): Promise<Response> => fetch(`${septet.url}${REPORT_FILES_PATH}/${name}?cluster=sample`)

test('a visitor who asks for one PDF after the other is told when to try again; tables come at once', async () => {
  expect((await visit('pdf')).status).toBe(200)
  const refused = await visit('pdf')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.json()).toMatchObject({ code: 'too-many-requests' })
  expect((await visit('cost')).status).toBe(200)
})

describe('the report of the sample data', () => {
  test('has every figure of the specification in its PDF', async () => {
    const { text, pages } = await pdfText('cluster=sample')
    for (const words of [
      'GPU Optimization Summary',
      'All Systems Operational',
      '$324K',
      '+18% vs last month',
      '87.3%',
      'Target 85%',
      '+2.3% above target',
      '127',
      '104 running',
      '23 queued',
      '94.7%',
      'Dynamic partitioning active',
      'GPU Utilization Trend',
      'Monthly Cost Optimization Impact',
      'MIG Partition Status',
      '7 of 8',
      'AI Optimization Recommendations',
      '$1,200/mo',
      '15%',
      '23 min',
    ])
      expect(text).toContain(words)
    expect(text).toContain('Sample data: fixed figures, not a cluster.')
    expect(pages).toBeGreaterThanOrEqual(2)
    expect(pages).toBeLessThanOrEqual(4)
  })
})

describe('the report of a cluster', () => {
  test('says in its PDF what the screens are answered, digit by digit', async () => {
    const { summary, cost } = await report('cluster=production&range=7d')
    const { text, pages } = await pdfText('cluster=production&range=7d')
    expect(pages).toBeLessThanOrEqual(4)
    const { savings, utilization, mig, cost: parts } = summary
    const told = [savings.bill, utilization.busy, mig.headline, parts.capacity, parts.used, parts.idleHeld].map(
      figureWords,
    )
    expect(told.filter(({ known }) => known).length).toBeGreaterThan(1)
    for (const { value } of told.filter(({ known }) => known)) expect(text).toContain(value)
    expect(parts.capacity.value).toBeGreaterThan(0)
    expect(text).toContain(dollars(parts.capacity.value ?? Number.NaN))
    expect(text).toContain(percent((parts.used.value ?? Number.NaN) / (parts.capacity.value ?? Number.NaN)))
    for (const { key } of cost.namespace.groups) expect(text).toContain(key === '' ? '(nobody)' : key)
    expect(text).not.toMatch(/NaN|undefined|Infinity/u)
  })

  test('has FOCUS rows that add up to the capacity to the cent', async () => {
    const { summary } = await report('cluster=production&range=7d')
    const rows = await csvRows('focus', 'cluster=production&range=7d')
    const cents = rows.reduce((sum, { BilledCost = '' }) => sum + Math.round(Number(BilledCost) * 100), 0)
    expect(cents).toBe(Math.round((summary.cost.capacity.value ?? Number.NaN) * 100))
    expect(cents).toBeGreaterThan(0)
    for (const row of rows) {
      expect(row).toMatchObject({ ChargeCategory: 'Usage', BillingCurrency: 'USD', PricingUnit: 'GPU-Hours' })
      expect(Date.parse(row['ChargePeriodStart'] ?? '')).toBeLessThan(Date.parse(row['ChargePeriodEnd'] ?? ''))
    }
  })

  test('comes as every file, named after what and when it is of', async () => {
    for (const name of REPORT_FILES) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other tells which one it was
      const answer = await file(name, 'cluster=production')
      expect([name, answer.status]).toEqual([name, 200])
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('content-disposition')).toMatch(
        new RegExp(`^attachment; filename="septet-production-${name}-\\d{4}-\\d{2}-\\d{2}\\.(pdf|csv|json)"$`, 'u'),
      )
      // oxlint-disable-next-line no-await-in-loop -- see above
      expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(20)
    }
  })

  test('of some namespaces has these and no others', async () => {
    const { summary, cost, workloads, scope } = await report('cluster=production&namespaces=team')
    expect(scope.namespaces).toEqual(['team'])
    expect(cost.namespace.groups.map(({ key }) => key)).toEqual(['team'])
    expect(workloads.workloads.every(({ namespace }) => namespace === 'team')).toBe(true)
    expect(summary.cost.unallocated.value).toBeNull()
    const none = await report('cluster=production&namespaces=elsewhere')
    expect(none.workloads.workloads).toEqual([])
    expect(none.cost.namespace.groups).toEqual([])
  })

  test('is there for those who may see the cluster, as a file that there is', async () => {
    expect((await get(`${REPORT_FILES_PATH}/cost?cluster=production`, {} as typeof admin)).status).toBe(404)
    expect((await get(`${REPORT_FILES_PATH}/cost?cluster=demo`, {} as typeof admin)).status).toBe(200)
    const forged = await get(`${REPORT_FILES_PATH}/cost?cluster=demo`, { authorization: 'Bearer nonsense' })
    expect(forged.status).toBe(401)
    const unknown = await file('docx', 'cluster=production')
    expect(unknown.status).toBe(404)
    expect(await unknown.json()).toMatchObject({ todo: expect.stringContaining('pdf') as string })
    expect((await file('pdf', 'cluster=production&range=yesteryear')).status).toBe(400)
  })
})
