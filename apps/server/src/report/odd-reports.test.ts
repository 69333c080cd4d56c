import { OPERATIONS, REPORT_FILES, REPORT_FILES_PATH } from '@septet/contract'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openTestSeptet, type TestSeptet } from '../faces/open-test-septet.fixture.ts'
import { ODD, oddClusters } from '../operations/answering/odd-clusters.fixture.ts'

// What Export Report gives of clusters that are not as one would like them, and to whom it gives a part.

const ADMIN = 'admin@septet.local'
const VIEWER = 'viewer@septet.local'
const TABLES = REPORT_FILES.filter((name) => name !== 'pdf' && name !== 'json')

let septet: TestSeptet
let none: TestSeptet
let callers: Record<'admin' | 'viewer' | 'none', { readonly authorization: string }>

beforeAll(async () => {
  septet = await openTestSeptet({
    environment: { SEPTET_AUTHORIZED_EMAIL: `${ADMIN},${VIEWER}` },
    facts: { clusters: oddClusters },
  })
  none = await openTestSeptet({ clusters: [] })
  const admin = await septet.signIn(ADMIN)
  await fetch(`${septet.url}/api/v1/members/${VIEWER}`, {
    method: 'PUT',
    headers: { ...admin, 'content-type': 'application/json' },
    body: JSON.stringify({ role: 'viewer', namespaces: ['lab'] }),
  })
  callers = { admin, viewer: await septet.signIn(VIEWER), none: await none.signIn(ADMIN) }
})
afterAll(async () => {
  await septet?.close()
  await none?.close()
})

const get = (who: keyof typeof callers, path: string): Promise<Response> =>
  fetch(`${(who === 'none' ? none : septet).url}${path}`, { headers: callers[who] })

async function pdfText(who: keyof typeof callers, query: string): Promise<string> {
  const answer = await get(who, `${REPORT_FILES_PATH}/pdf?${query}`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const document = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()))
  const { text } = await extractText(document, { mergePages: true })
  const words = text.replaceAll(/\s+/gu, ' ')
  expect(words).not.toMatch(/NaN|undefined|\bnull\b|Infinity|\[object/u)
  return words
}

async function csv(who: keyof typeof callers, name: string, query: string): Promise<string> {
  const answer = await get(who, `${REPORT_FILES_PATH}/${name}?${query}`)
  expect([name, answer.status, answer.headers.get('content-type')]).toEqual([name, 200, expect.stringMatching(/csv/u)])
  const text = await answer.text()
  expect(`${name}: ${text}`).not.toMatch(/NaN|undefined|\bnull\b|Infinity|\[object/u)
  return text
}

/** A share or an amount of 0, which would be a claim about what is not there. */
const ZERO = /(?<![\d.])0(?:\.0)?\s?%|\$0(?:\.00)?(?!\d)/u

describe.each(['empty', 'without-gpus'])('of a cluster "%s"', (cluster) => {
  test('the PDF says that there is no GPU, and has no share and no amount of 0', async () => {
    const text = await pdfText('admin', `cluster=${cluster}`)
    expect(text).not.toMatch(ZERO)
    expect(text).toMatch(/Not measured|unknown/u)
  })

  test.each(TABLES)('the table %s has its head and no row of what is not there', async (name) => {
    const [head = '', ...rows] = (await csv('admin', name, `cluster=${cluster}`)).trimEnd().split('\r\n')
    expect(head.split(',').length).toBeGreaterThan(2)
    // Of a whole that is nothing there is one row, which says so.
    expect(rows.filter((row) => row !== '' && !row.startsWith('all,'))).toEqual([])
  })
})

test('without a cluster it is of sample data, and says so', async () => {
  expect(await pdfText('none', '')).toContain('Sample data')
  for (const name of TABLES) await csv('none', name, '')
  const asked = await get('none', `${REPORT_FILES_PATH}/pdf?cluster=gone`)
  expect(asked.status).toBeGreaterThanOrEqual(400)
  expect(await asked.json()).toMatchObject({ detail: expect.stringContaining('There is no cluster "gone"') })
})

test('a viewer of one namespace gets a report of it, which names nobody else', async () => {
  const text = await pdfText('viewer', 'cluster=strange')
  expect(text).toContain('waits-2')
  expect(text).toContain('Namespace: lab')
  expect(text).not.toMatch(/z-1|waits-1|Unallocated/u)
  expect(text).toMatch(/Held \$[\d.]+ by these namespaces/u)
  expect(text).toMatch(/add up to it\. \$[\d.]+ 100%/u)
  // Nothing of it was measured, so what needs telemetry is no 0.
  expect(text).toMatch(/lab 100% [\d.]+ unknown 0\.0% unknown \$[\d.]+/u)
  expect(text).toContain('how much was idle is not measured')
  const [head = '', row = ''] = (await csv('viewer', 'cost', 'cluster=strange')).split('\r\n')
  const cells = new Map(head.split(',').map((column, index) => [column, row.split(',')[index]]))
  expect([cells.get('idleHeld_gpu_h'), cells.get('oversized_usd'), cells.get('stranded_usd')]).toEqual(['', '', ''])
  for (const name of TABLES) expect(await csv('viewer', name, 'cluster=strange')).not.toMatch(/z-1|waits-1/u)
  const report = OPERATIONS.reportGet.output.parse(await (await get('viewer', '/api/v1/report?cluster=strange')).json())
  expect(JSON.stringify(report)).not.toMatch(/z-1|waits-1/u)
})

test('odd names are in the tables as they are, and never begin a formula', async () => {
  const text = await csv('admin', 'workloads', 'cluster=strange')
  expect(text).toContain(ODD)
  expect(text).not.toMatch(/(?:^|[,\n])"?[=+@]/u)
  await pdfText('admin', 'cluster=strange')
})
