import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openTestSeptet, type TestSeptet } from '../open-test-septet.fixture.ts'

let septet: TestSeptet
let admin: { authorization: string }

beforeAll(async () => {
  septet = await openTestSeptet({ environment: { SEPTET_AUTHORIZED_EMAIL: 'admin@septet.local' } })
  admin = await septet.signIn('admin@septet.local')
})
afterAll(() => septet.close())

const JSON_BODY = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

const put = (path: string, body: unknown): Promise<Response> =>
  fetch(`${septet.url}${path}`, {
    method: 'PUT',
    headers: { ...admin, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function connected(headers: Record<string, string> = admin): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${septet.url}/mcp`), { requestInit: { headers } }))
  return client
}

describe('the MCP server', () => {
  test('offers what only asks, until an admin offers more', async () => {
    const client = await connected()
    const { tools } = await client.listTools()
    expect(tools.length).toBeLessThanOrEqual(15)
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true)
    expect(tools.every(({ outputSchema }) => outputSchema !== undefined)).toBe(true)
    expect(tools.map(({ name }) => name)).not.toContain('apply_recommendation')
    expect((await put('/api/v1/agents', { toolsets: ['act', 'read', 'plan'] })).status).toBe(200)
    // A client may keep a list for a minute; another one has not seen it.
    const another = await connected()
    const more = (await another.listTools()).tools
    expect(more.length).toBeLessThanOrEqual(15)
    expect(more.map(({ name }) => name)).toContain('apply_recommendation')
    await another.close()
    await client.close()
  })

  test('who waits for it is told that an admin changed what is offered', async () => {
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: {
        notifications: { toolsListChanged: true },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
    const stream = await fetch(`${septet.url}/mcp`, {
      method: 'POST',
      headers: { ...JSON_BODY, ...admin, ...headers },
      body: JSON.stringify(body),
    })
    expect((await put('/api/v1/agents', { toolsets: ['act', 'read', 'plan'] })).status).toBe(200)
    let told = ''
    for await (const part of stream.body ?? []) {
      told += new TextDecoder().decode(part)
      if (told.includes('notifications/tools/list_changed')) break
    }
    expect(told).toContain('notifications/tools/list_changed')
  })

  test('answers with when, where from and a page, to a client of today and to one of 2025', async () => {
    const client = await connected()
    const now = await client.callTool({ name: 'fleet_summary', arguments: { range: '7d' } })
    expect(now.structuredContent).toMatchObject({
      cluster: { id: 'production' },
      page: expect.stringContaining(`${septet.url}/dashboard?cluster=production`),
      sources: ['GET /api/v1/clusters', 'GET /api/v1/summary?range=7d'],
    })
    const older = new OlderClient({ name: 'older', version: '1' })
    await older.connect(new OlderTransport(new URL(`${septet.url}/mcp`), { requestInit: { headers: admin } }))
    const same = await older.callTool({ name: 'fleet_summary', arguments: { range: '7d' } })
    expect(same['structuredContent']).toEqual(now.structuredContent)
    await older.close()
    await client.close()
  })

  test('resources, prompts and completion name what there is', async () => {
    const client = await connected()
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain('septet://clusters')
    const [read] = (await client.readResource({ uri: 'septet://clusters/production/summary' })).contents
    expect(read).toMatchObject({ text: expect.stringContaining('"id":"production"') })
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual([
      'idle_triage',
      'repartition_review',
      'monthly_cost_review',
      'why_is_it_pending',
    ])
    const ref = { type: 'ref/prompt', name: 'idle_triage' } as const
    const { completion } = await client.complete({ ref, argument: { name: 'cluster', value: 'prod' } })
    expect(completion.values).toEqual(['production'])
    await client.close()
  })
})

test('what was called is listed for who may see it, without its arguments', async () => {
  const client = await connected()
  await client.callTool({ name: 'search', arguments: { query: 'a-secret-word' } })
  await client.close()
  const answer = await fetch(`${septet.url}/api/v1/agents/calls`, { headers: admin })
  const text = await answer.text()
  const { calls } = JSON.parse(text) as { calls: unknown[] }
  expect(calls[0]).toMatchObject({ tool: 'search', outcome: 'answered', caller: 'admin@septet.local' })
  expect(text).not.toContain('a-secret-word')
})

describe('what is refused, in words', () => {
  test.each([
    ['an argument that the tool does not know', { name: 'fleet_summary', arguments: { rows: 3 } }, 'rows'],
    ['a range that is none', { name: 'fleet_summary', arguments: { range: 'yesterday-ish' } }, 'a range is 1h'],
    ['a cluster of nobody', { name: 'fleet_summary', arguments: { cluster: 'elsewhere' } }, 'Choose one of'],
    [
      'a workload that is not there',
      { name: 'explain_workload', arguments: { id: 'a/Deployment/b' } },
      'a/Deployment/b',
    ],
    ['more rows than a context holds', { name: 'list_workloads', arguments: { limit: 5000 } }, 'limit'],
  ])('%s', async (_what, call, words) => {
    const client = await connected()
    const answer = await client.callTool(call)
    expect(answer.isError).toBe(true)
    expect(JSON.stringify(answer.content)).toContain(words)
    await client.close()
  })

  test('an unknown tool, another host, another site, no body, a body of 10 MB, and any method but POST', async () => {
    const client = await connected()
    await expect(client.callTool({ name: 'delete_everything', arguments: {} })).rejects.toThrow('delete_everything')
    await client.close()
    const post = (headers: Record<string, string>, body: string) =>
      fetch(`${septet.url}/mcp`, { method: 'POST', headers: { ...JSON_BODY, ...headers }, body })
    expect((await post({ origin: 'https://evil.example' }, '{}')).status).toBe(403)
    expect((await post({ origin: 'null' }, '{}')).status).toBe(403)
    expect((await post({}, '')).status).toBe(400)
    expect((await post({}, 'x'.repeat(10_000_000))).status).toBe(413)
    expect((await fetch(`${septet.url}/mcp`)).status).toBe(405)
  })

  test('who is not signed in is told where to learn how', async () => {
    const answer = await fetch(`${septet.url}/mcp`, {
      method: 'POST',
      headers: { authorization: 'Bearer spt_none', 'content-type': 'application/json' },
      body: '{}',
    })
    expect(answer.status).toBe(401)
    const [, address = ''] = /resource_metadata="([^"]+)"/u.exec(answer.headers.get('www-authenticate') ?? '') ?? []
    expect(await (await fetch(address)).json()).toMatchObject({ resource: `${septet.url}/mcp` })
  })

  test('a token of one namespace learns nothing of another through any tool', async () => {
    const made = await fetch(`${septet.url}/api/v1/tokens`, {
      method: 'POST',
      headers: { ...admin, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'other', role: 'viewer', namespaces: ['other'] }),
    })
    const { secret } = (await made.json()) as { secret: string }
    const client = await connected({ authorization: `Bearer ${secret}` })
    const { tools } = await client.listTools()
    const given: Record<string, Record<string, unknown>> = {
      explain_workload: { id: 'team/Deployment/x' },
      search: { query: 'x' },
      will_it_start: {
        manifest:
          '{kind: Pod, metadata: {name: new}, spec: {containers: [{name: a, resources: {limits: {nvidia.com/gpu: 8}}}]}}',
        namespace: 'other',
      },
      draft_plan: { goal: 'room-for', profile: '1g.10gb' },
    }
    const answers = await Promise.all(
      tools.map(async ({ name }) => JSON.stringify(await client.callTool({ name, arguments: given[name] ?? {} }))),
    )
    expect(answers).toHaveLength(tools.length)
    expect(answers.filter((text) => /team\/(x|[A-Z])/u.test(text.replace('team/Deployment/x', '')))).toEqual([])
    await client.close()
  })
})
