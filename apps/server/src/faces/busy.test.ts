import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { busyOf } from '@septet/contract/busy-words'
import { OPERATIONS, type OperationKey, type OutputOf } from '@septet/contract'
import { instant, type ClusterRecord, type JudgedSample, ratio, theLast } from '@septet/domain'
import { draw, DRAWN_AT } from '@septet/domain/testing'
import { percent } from '@septet/domain/words'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { writeAgentSettings } from '../agent-settings.ts'
import { factsOf } from '../operations/answering/facts.fixture.ts'
import { parseCsv } from '../report/parse-csv.fixture.ts'
import { openTestSeptet, type TestSeptet } from './open-test-septet.fixture.ts'

const measured = (node: string, index: number, busy: number): JudgedSample => ({
  at: DRAWN_AT,
  node,
  gpu: `GPU-${node}-${index}`,
  index,
  model: '',
  busy: ratio(busy),
  quality: { kind: 'measured' },
})
const RECORD: ClusterRecord = { id: 'east', name: 'East', kind: 'cluster', createdAt: instant(0) }
/** A namespace that never idles and is hardly busy, a part of which nobody measured; one that is all unmeasured. */
const FACTS = factsOf(
  draw`
    a  H100-80GB-HBM3  [calm/x]
    a  H100-80GB-HBM3  [calm/y]
    b  A100-SXM4-40GB  [calm/z]
    c  T4-16GB         [dark/w]
    d  T4-16GB         [-]`,
  [measured('a', 0, 0.12), measured('a', 1, 0.248)],
  RECORD,
)

let septet: TestSeptet
let client: Client
let headers: { authorization: string }
beforeAll(async () => {
  const environment = { SEPTET_AUTHORIZED_EMAIL: 'admin@septet.local' }
  septet = await openTestSeptet({ environment, facts: { clusters: () => [FACTS] } })
  await writeAgentSettings(septet.store.settings, { toolsets: ['read'], at: 0, by: 'admin' })
  headers = await septet.signIn('admin@septet.local')
  client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${septet.url}/mcp`), { requestInit: { headers } }))
})
afterAll(async () => {
  await client.close()
  await septet.close()
})

const get = (path: string): Promise<Response> => fetch(`${septet.url}/api/v1/${path}`, { headers })
const send = (method: 'POST' | 'PUT', path: string, body: object): Promise<Response> =>
  fetch(`${septet.url}/api/v1/${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const post = (path: string, body: object): Promise<Response> => send('POST', path, body)
const read = async <Key extends OperationKey>(key: Key, answer: Promise<Response>) =>
  OPERATIONS[key].output.parse(await (await answer).json()) as OutputOf<(typeof OPERATIONS)[Key]>

const FIXED = { namespace: 'namespace', model: 'GPU model', pool: 'pool', node: 'node' }

test.each(Object.entries(FIXED))(
  'the groups by %s are as busy for the co-pilot and for tools as by REST',
  async (by, what) => {
    const { groups } = await read('costBreakdown', get(`cost?cluster=east&range=24h&by=${by}`))
    const { structuredContent } = await client.callTool({ name: 'cost_breakdown', arguments: { by } })
    const told = structuredContent as { groups: typeof groups }
    const answer = await read(
      'copilotAsk',
      post('copilot', { cluster: 'east', question: `How utilized is each ${what}?` }),
    )
    const [table] = answer.blocks.flatMap((block) => (block.kind === 'table' ? [block] : []))
    expect(answer.verdict).toBe('answered')
    expect(groups.some(({ busy }) => busy !== null)).toBe(true)
    for (const { id, key, kind, busy, coverage, unmeasuredShare } of groups) {
      const name = kind === 'free' ? '(unallocated)' : key || `(no ${by})`
      const words = coverage === null ? 'nothing held' : 'not measured'
      const shares = { busy, coverage, unmeasuredShare }
      const rounded = Object.entries(shares).map(([column, share]) => [column, share && Math.round(share * 1e4) / 1e4])
      expect(told.groups.find((group) => group.id === id)).toMatchObject(Object.fromEntries(rounded))
      const row = table?.rows.find(({ cells }) => cells[0] === name)
      expect(row?.cells[1]).toContain(busy === null ? words : percent(busy))
    }
  },
)

type Shares = Pick<OutputOf<typeof OPERATIONS.costBreakdown>['groups'][number], 'busy' | 'coverage' | 'unmeasuredShare'>
async function sharesOf(name: string): Promise<Shares & { readonly idleHeld: number }> {
  const { groups } = await read('costBreakdown', get('cost?cluster=east&range=24h&by=namespace'))
  const found = groups.find(({ key }) => key === name)
  if (found === undefined) throw new Error(`no ${name} among ${groups.length} groups`)
  const { busy, coverage, unmeasuredShare, gpuHours } = found
  return { busy, coverage, unmeasuredShare, idleHeld: gpuHours.idleHeld }
}

test('a namespace that never idles is as busy as what was measured of it, and one that is unmeasured is not 0', async () => {
  // Two of three GPUs are measured, at 12 and 24.8 %, and none of them is idle.
  const { busy, coverage, unmeasuredShare, idleHeld } = await sharesOf('calm')
  expect(idleHeld).toBe(0)
  expect([busy, coverage, unmeasuredShare].map((share) => share?.toFixed(6))).toEqual([
    '0.184000',
    '0.666667',
    '0.333333',
  ])
  expect(await sharesOf('dark')).toMatchObject({ busy: null, coverage: 0, unmeasuredShare: 1 })
})

test('and so it is in the export of its tenant, in the report and its files, and in the analysis that the command line prints', async () => {
  const { idleHeld: _idle, ...shares } = await sharesOf('calm')
  await send('PUT', 'tenants', { tenants: [{ name: 'calm', namespaces: ['calm'] }] })
  const { clusters } = await read('tenantsExport', post('tenants/export', { tenant: 'calm', range: '24h' }))
  expect(clusters[0]?.total).toMatchObject(shares)

  const report = await read('reportGet', get('report?cluster=east&range=24h'))
  expect(report.cost.namespace.groups.find(({ key }) => key === 'calm')).toMatchObject(shares)
  const [head = [], ...rows] = parseCsv(await (await get('report/files/cost?cluster=east&range=24h')).text())
  const columns = ['busy_of_held', 'coverage', 'unmeasured_share'].map((name) => head.indexOf(name))
  const csv = (key: string) => columns.map((column) => rows.find((row) => row[1] === key)?.[column])
  expect(csv('calm')).toEqual(Object.values(shares).map(String))
  expect(csv('dark')).toEqual(['', '0', '1'])
  const pdf = await (await get('report/files/pdf?cluster=east&range=24h')).arrayBuffer()
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true })
  expect(text.replaceAll(/\s+/gu, ' ')).toMatch(/ calm .*18\.4% 66\.7%/u)

  const seen = await FACTS.analysis(theLast('24h'))
  const own = seen?.analysis.cost.byNamespace.find(({ key }) => key === 'calm')
  expect(own && busyOf(own)).toEqual(shares)
})

test('and so the co-pilot says it', async () => {
  const question = 'How utilized is each namespace?'
  const { sentences } = await read('copilotAsk', post('copilot', { cluster: 'east', question }))
  expect(sentences.map(({ text }) => text).join(' ')).toContain(
    'By namespace: “calm” 18.4% (66.7% measured), “dark” not measured.',
  )
})
