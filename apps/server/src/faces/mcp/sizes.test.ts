import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { instant, type ClusterRecord } from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

import { writeAgentSettings } from '../../agent-settings.ts'
import { factsOf } from '../../operations/answering/facts.fixture.ts'
import { openTestSeptet, type TestSeptet } from '../open-test-septet.fixture.ts'

const ROWS = Array.from(
  { length: 120 },
  (_, index) => `node-${index}  H100-80GB-HBM3  [research-team-${index % 9}/llama-3-70b-finetune-${index}]`,
)

let septet: TestSeptet
let client: Client

beforeAll(async () => {
  const record: ClusterRecord = { id: 'production', name: 'Production', kind: 'cluster', createdAt: instant(0) }
  const facts = factsOf(draw`${ROWS.join('\n')}`, [], record)
  septet = await openTestSeptet({
    environment: { SEPTET_AUTHORIZED_EMAIL: 'admin@septet.local' },
    facts: { clusters: () => [facts] },
  })
  await writeAgentSettings(septet.store.settings, { toolsets: ['read', 'plan', 'act'], at: 0, by: 'admin' })
  const requestInit = { headers: await septet.signIn('admin@septet.local') }
  client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${septet.url}/mcp`), { requestInit }))
})
afterAll(async () => {
  await client.close()
  await septet.close()
})

test('the list of all tools takes at most 30 kB of a context', async () => {
  const { tools } = await client.listTools()
  expect(tools).toHaveLength(15)
  expect(JSON.stringify({ tools }).length).toBeLessThanOrEqual(30_000)
})

test('and still says of each tool what goes in, and which fields come out', async () => {
  const { tools } = await client.listTools()
  const tool = tools.find(({ name }) => name === 'list_workloads')
  expect(tool?.inputSchema).toMatchObject({
    additionalProperties: false,
    properties: { status: { enum: ['running', 'queued', 'ended', 'all'], default: 'all' }, limit: { maximum: 100 } },
  })
  expect(tool?.outputSchema).toMatchObject({
    properties: {
      formulas: { type: ['object', 'null'], properties: { cost: { type: 'string' } } },
      columns: { description: expect.stringContaining('explain_workload') },
    },
  })
  const summary = tools.find(({ name }) => name === 'fleet_summary')
  expect(summary?.outputSchema).toMatchObject({ $defs: { figure: { description: expect.stringContaining('says') } } })
  const unnamed = tools.filter(({ outputSchema }) => Object.keys(outputSchema?.properties ?? {}).length === 0)
  expect(unnamed).toEqual([])
  expect(client.getInstructions()).toContain('asOf')
})

test('a hundred workloads take at most 20 kB', async () => {
  const { structuredContent } = await client.callTool({ name: 'list_workloads', arguments: { limit: 100 } })
  expect(structuredContent).toMatchObject({
    total: 120,
    columns: expect.arrayContaining(['id', 'busy', 'waitsFor']),
    workloads: expect.arrayContaining([expect.arrayContaining(['research-team-0/Pod/llama-3-70b-finetune-0'])]),
  })
  expect(JSON.stringify(structuredContent).length).toBeLessThanOrEqual(20_000)
})

test('a list of workloads says how its figures are made, and shows no figure of one of them as if it were of all', async () => {
  const { structuredContent } = await client.callTool({ name: 'list_workloads', arguments: { limit: 2 } })
  expect(structuredContent).not.toHaveProperty('figures')
  expect(structuredContent).toMatchObject({ formulas: { cost: 'USD: held GPU-h × price (usage rows × price book)' } })
})

/** What each is asked where its arguments are not all optional. */
const GIVEN: Readonly<Record<string, Record<string, unknown>>> = {
  explain_workload: { id: 'research-team-0/Pod/llama-3-70b-finetune-0' },
  search: { query: 'llama' },
  draft_plan: { goal: 'room-for', profile: '1g.10gb' },
  will_it_start: {
    manifest:
      '{kind: Pod, metadata: {name: new}, spec: {containers: [{name: a, resources: {limits: {nvidia.com/gpu: 1}}}]}}',
  },
}

test('no answer takes more than 4,000 tokens, at four characters each, with text and structure together', async () => {
  const { tools } = await client.listTools()
  const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint === true)
  const sizes = await Promise.all(
    reading.map(async ({ name }): Promise<[string, number]> => {
      const { content, structuredContent } = await client.callTool({ name, arguments: GIVEN[name] ?? {} })
      return [name, Math.ceil((JSON.stringify(content).length + JSON.stringify(structuredContent ?? {}).length) / 4)]
    }),
  )
  expect(sizes.filter(([, tokens]) => tokens > 4000)).toEqual([])
})

test('text has the sentences and the page, and the whole answer for a client that reads nothing else', async () => {
  const { content, structuredContent } = await client.callTool({ name: 'fleet_summary', arguments: {} })
  const { says, page } = z.object({ says: z.array(z.string()), page: z.string() }).parse(structuredContent)
  expect(content).toEqual([{ type: 'text', text: [...says, page].join('\n') }])
  const response = await fetch(`${septet.url}/mcp`, {
    method: 'POST',
    headers: {
      ...(await septet.signIn('admin@septet.local')),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'fleet_summary' } }),
  })
  expect(await response.text()).toContain(JSON.stringify(JSON.stringify(structuredContent)).slice(1, 200))
})

const inspected = async (given: object) =>
  (await client.callTool({ name: 'inspect_gpus', arguments: { ...given } })).structuredContent

test('a node that is not in MIG mode is shown where it is named, and a list says which nodes it has', async () => {
  expect(await inspected({ node: 'node-7' })).toMatchObject({ total: 1, nodes: [{ node: 'node-7', used: 1 }] })
  expect(await inspected({})).toMatchObject({ total: 0, of: expect.stringContaining('in MIG mode') })
  expect(await inspected({ mig: false, limit: 1 })).toMatchObject({ total: 120, of: 'all nodes with GPUs' })
})

test('hours and money have no more digits than they are worth', async () => {
  for (const name of ['cost_breakdown', 'explain_queue']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other tells which one it was
    const { structuredContent } = await client.callTool({ name, arguments: { range: '7d' } })
    const rows = JSON.stringify({ ...Object(structuredContent), hours: null, cost: null })
    expect([name, rows.match(/\d\.\d{3,}[,}]/gu)]).toEqual([name, null])
  }
})
