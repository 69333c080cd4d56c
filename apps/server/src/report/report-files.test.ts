import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { csvOf } from '@septet/contract/csv'
import { dollars, wholePercent } from '@septet/domain/words'
import { instant } from '@septet/domain'
import { OPERATIONS, REPORT_FILES, REPORT_FILES_PATH, type OutputOf, type reportGet } from '@septet/contract'
import { figureInWords } from '@septet/contract/figure-words'
import { reportFileName, reportPeriod } from '@septet/contract/report-period'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { DRAWN_AT } from '@septet/domain/testing'
import { openTestSeptet, standingCluster, type TestSeptet } from '../faces/open-test-septet.fixture.ts'
import { rowsOfTwoHours } from '../operations/answering/facts.fixture.ts'
import { focusFlaws, focusRows } from './focus-rules.fixture.ts'
import { parseCsv } from './parse-csv.fixture.ts'
import { enlarged } from './pdf/enlarged-report.fixture.ts'
import { expectTagged, tagsOf } from './pdf/pdf-tags.fixture.ts'
import { PAPER } from './pdf/paper.ts'
import { reportPdf } from './pdf/report-pdf.ts'
import { spendSentence } from './pdf/spend.ts'

type Report = OutputOf<typeof reportGet>

let septet: TestSeptet
let admin: { authorization: string }
beforeAll(async () => {
  septet = await openTestSeptet({})
  // Before anything is asked: what waited is told as of a picture, and this one stands still.
  await writeWaits()
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

/** What the loader on the page about reports prints of two files; rejects with its error. */
async function loaded(focus: string, cost: string): Promise<string> {
  const page = await readFile(join(import.meta.dirname, '../../../../docs/reports-and-alerts.md'), 'utf8')
  const [, code = ''] = /^```python\n(.*?)^```$/msu.exec(page) ?? []
  const folder = await mkdtemp(join(tmpdir(), 'septet-focus-'))
  const files = { 'load_focus.py': code, 'focus.csv': focus, 'cost.csv': cost }
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(folder, name), content)))
  try {
    return (await promisify(execFile)('python3', Object.keys(files), { cwd: folder })).stdout
  } finally {
    await rm(folder, { recursive: true })
  }
}

const at = (minute: number) => instant(DRAWN_AT + minute * 60_000)

const MOVE = { kind: 'move', sentence: 'Move work off 1 more GPU of a.' } as const
async function writeWaits(): Promise<void> {
  const stretch = { waiter: 'uid', namespace: 'team', workload: 'team/Job/train', over: false }
  const asks = { asks: '2 × nvidia.com/gpu', gpus: 2, kinds: [{ pool: '', model: 'H100-80GB-HBM3' }] }
  await septet.store.waits.write('production', [
    { ...stretch, ...asks, from: at(-10), to: at(30), cause: 'fragmentation', change: MOVE },
    { ...stretch, ...asks, from: at(30), to: at(45), cause: 'not-watched', change: undefined },
  ])
}

test('the PDF says how old its figures are', async () => {
  const age = 'The cluster was last read an hour before this range ends.'
  const pdf = await reportPdf({ ...(await report('range=24h')), age })
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true })
  expect(text.replaceAll(/\s+/gu, ' ')).toContain(age)
})

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
      figureInWords,
    )
    expect(told.filter(({ known }) => known).length).toBeGreaterThan(1)
    for (const { value } of told.filter(({ known }) => known)) expect(text).toContain(value)
    expect(parts.capacity.value).toBeGreaterThan(0)
    expect(text).toContain(dollars(parts.capacity.value ?? Number.NaN))
    expect(text).toContain(wholePercent((parts.used.value ?? Number.NaN) / (parts.capacity.value ?? Number.NaN)))
    for (const { key } of cost.namespace.groups) expect(text).toContain(key === '' ? 'No known holder' : key)
    expect(text).not.toMatch(/NaN|undefined|Infinity/u)
  })

  test('tells on its first page what was spent and wasted, what to do first, and how sure that is, in this order', async () => {
    const of = await report('cluster=production&range=7d')
    const { text } = await pdfText('cluster=production&range=7d')
    const order = [
      'GPU Optimization Summary',
      of.source.name,
      `${reportPeriod(of)} (last 7 days)`,
      'Prices: AWS us-east-1, on demand',
      spendSentence(of),
      dollars(of.summary.cost.capacity.value ?? Number.NaN),
      'Where the money went',
      'What to do first',
      'Data quality',
      'GPUs and GPU instances',
      'Cost by team (namespace)',
      'GPU Utilization Trend',
      'AI Optimization Recommendations',
      'Verified savings',
      'What waiting cost',
    ]
    expect(order.filter((words) => !text.includes(words))).toEqual([])
    expect(order.map((words) => text.indexOf(words))).toEqual(
      order.map((words) => text.indexOf(words)).toSorted((a, b) => a - b),
    )
  })

  test('is tagged: a screen reader hears all of it, in order, with headings, tables and what drawings show', async () => {
    const answer = await file('pdf', 'cluster=production&range=7d')
    const tags = await tagsOf(new Uint8Array(await answer.arrayBuffer()))
    expect(tags.pages).toBeLessThanOrEqual(4)
    expectTagged(tags)
  })

  test('of a large cluster fills its pages, four at most', async () => {
    const large = enlarged(await report('cluster=production&range=7d'))
    const pdf = new Uint8Array(await reportPdf(large))
    const tags = await tagsOf(pdf)
    expectTagged(tags)
    expect(tags.pages).toBeGreaterThan(2)
    expect(tags.pages).toBeLessThanOrEqual(4)
    for (const low of tags.lowest) expect(low).toBeLessThan(PAPER.height * 0.2)
  })

  /** What is stored of the two hours that the other answers are about. */
  const STORED = `cluster=production&range=${new Date(DRAWN_AT).toISOString()}/${new Date(at(120)).toISOString()}`
  beforeAll(() => septet.store.usage.write('production', rowsOfTwoHours(standingCluster(), [])))

  test.each([
    ['focus-1.0', '1.0'],
    ['focus', '1.2'],
    ['focus-1.3', '1.3'],
  ] as const)('has %s rows that its rules accept and that add up to the capacity', async (name, version) => {
    const { summary } = await report(STORED)
    const text = await (await file(name, STORED)).text()
    expect(focusFlaws(text, version)).toEqual([])
    const dollarsBilled = focusRows(text).reduce((sum, { BilledCost = '' }) => sum + Number(BilledCost), 0)
    expect(dollarsBilled).toBeGreaterThan(0)
    expect(dollarsBilled).toBeCloseTo(summary.cost.capacity.value ?? Number.NaN, 4)
  })

  test('is loaded and checked by the Python of the docs, which finds a row that is missing', async () => {
    const texts = await Promise.all(['focus', 'cost'].map(async (name) => (await file(name, STORED)).text()))
    const [focus = '', cost = ''] = texts
    const { summary } = await report(STORED)
    const [head = [], ...rows] = parseCsv(focus)
    expect(await loaded(focus, cost)).toBe(`${rows.length} rows, ${summary.cost.capacity.value?.toFixed(2)} USD\n`)
    await expect(loaded(csvOf([head, ...rows.slice(1)]), cost)).rejects.toThrow('is not')
    const dearer = rows.map((row) => row.with(head.indexOf('ListUnitPrice'), '0.5'))
    await expect(loaded(csvOf([head, ...dearer]), cost)).rejects.toThrow('AssertionError')
  })

  test('tells what work waited for, in its table and its PDF, adding up to the second', async () => {
    const { waits } = await report('cluster=production&range=7d')
    const rows = await csvRows('waits', 'cluster=production&range=7d')
    expect(rows.map(({ cause, seconds, gpu_h: hours, change: told }) => [cause, seconds, hours, told])).toEqual([
      ['fragmentation', '1800', '1', MOVE.sentence],
      ['not-watched', '900', '0.5', ''],
    ])
    expect(waits.seconds).toBe(2700)
    const { text } = await pdfText('cluster=production&range=7d')
    for (const words of ['What waiting cost', '1.5 GPU-h waited', 'Fragmentation', MOVE.sentence, 'not money lost'])
      expect(text).toContain(words)
  })

  test('comes as every file, named after its cluster and its range', async () => {
    const of = await report('cluster=production')
    expect(reportFileName('pdf', of)).toBe('septet-production-report-2026-01-01-0000-to-0200.pdf')
    for (const name of REPORT_FILES) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other tells which one it was
      const answer = await file(name, 'cluster=production')
      expect([name, answer.status]).toEqual([name, 200])
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${reportFileName(name, of)}"`)
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
  })

  test('of a namespace that was never seen is refused, and names those that were', async () => {
    for (const namespaces of ['elsewhere', 'team,elsewhere']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other tells which one it was
      const none = await file('cost', `cluster=production&namespaces=${namespaces}`)
      expect(none.status).toBe(400)
      // oxlint-disable-next-line no-await-in-loop -- see above
      expect(await none.json()).toMatchObject({
        code: 'invalid-input',
        detail: 'No namespace “elsewhere” with GPU work was seen in the range, in the past 30 days or now.',
        todo: expect.stringMatching(/^Seen: .*\bteam\b/u) as string,
      })
    }
    expect((await file('cost', 'cluster=production&namespaces=,')).status).toBe(400)
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
