import { join } from 'node:path'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OlderStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OlderHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { instant, type ClusterRecord } from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import type { FoundPlan, PlanAsked, Waiting } from '../../facts.ts'
import { planOf } from '../../pipeline/ask-snapshot.ts'
import { factsOf } from '../../operations/answering/facts.fixture.ts'
import { openTestSeptet, type TestSeptet } from '../open-test-septet.fixture.ts'
import { agentToken } from './agent-token.fixture.ts'

const MAIN = join(import.meta.dirname, '../../../../cli/src/main.ts')
const RECORD: ClusterRecord = { id: 'lab', name: 'Lab', kind: 'cluster', createdAt: instant(0) }

let septet: TestSeptet
let token: string
/** What the planner was asked: it answers when it is told to, or never. */
let planning: { readonly signal: AbortSignal | undefined; readonly answer: () => void }[] = []

const snapshot = draw`a  H100-80GB-HBM3  [team/x]`

beforeAll(async () => {
  const facts = {
    ...factsOf(snapshot, [], RECORD),
    plan: (question: PlanAsked, { signal }: Waiting = {}) => {
      const { promise, resolve, reject } = Promise.withResolvers<FoundPlan | undefined>()
      planning.push({ signal, answer: () => void planOf(snapshot, question).then(resolve) })
      signal?.addEventListener('abort', () => reject(signal.reason))
      return promise
    },
  }
  septet = await openTestSeptet({
    environment: { SEPTET_AUTHORIZED_EMAIL: 'ann@septet.local' },
    facts: { clusters: () => [facts] },
  })
  token = await agentToken(septet, ['read', 'plan'])
})
afterAll(() => septet.close())
beforeEach(() => {
  planning = []
})

const address = () => new URL(`${septet.url}/mcp`)
const requestInit = () => ({ headers: { authorization: `Bearer ${token}` } })
const command = () => ({
  command: process.execPath,
  args: ['--disable-warning=ExperimentalWarning', MAIN, 'mcp', '--server', septet.url],
  env: { ...process.env, SEPTET_TOKEN: token } as Record<string, string>,
})

const newer = () => new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
const older = () => new OlderClient({ name: 'older', version: '1' })

type Options = { readonly signal?: AbortSignal; readonly onprogress?: (told: { message?: string | undefined }) => void }
type Connected = {
  readonly draft: (options: Options) => Promise<unknown>
  readonly close: () => Promise<void>
}
const DRAFT = { name: 'draft_plan', arguments: { goal: 'room-for', profile: '1g.10gb' } }

async function connectedNewer(client: Client, transport: Parameters<Client['connect']>[0]): Promise<Connected> {
  await client.connect(transport)
  return { draft: (options) => client.callTool(DRAFT, options), close: () => client.close() }
}
async function connectedOlder(client: OlderClient, transport: OlderHttp | OlderStdio): Promise<Connected> {
  // The older transports say "undefined" where this compiler wants nothing at all.
  await client.connect(transport)
  return { draft: (options) => client.callTool(DRAFT, undefined, options), close: () => client.close() }
}

const CLIENTS: readonly (readonly [string, () => Promise<Connected>])[] = [
  [
    'of today over HTTP',
    () => connectedNewer(newer(), new StreamableHTTPClientTransport(address(), { requestInit: requestInit() })),
  ],
  ['of today on stdio', () => connectedNewer(newer(), new StdioClientTransport(command()))],
  ['of 2025 over HTTP', () => connectedOlder(older(), new OlderHttp(address(), { requestInit: requestInit() }))],
  ['of 2025 on stdio', () => connectedOlder(older(), new OlderStdio(command()))],
]

const outcomes = async (): Promise<readonly string[]> => {
  const answer = await fetch(`${septet.url}/api/v1/agents/calls`, { headers: requestInit().headers })
  return ((await answer.json()) as { calls: { outcome: string }[] }).calls.map(({ outcome }) => outcome)
}

describe.each(CLIENTS)('a client %s', (_which, connect) => {
  test('is told how a plan goes on, if it wants to know, and of its end', async () => {
    const client = await connect()
    const told: (string | undefined)[] = []
    const answer = client.draft({ onprogress: ({ message }) => void told.push(message) })
    await expect.poll(() => planning.length).toBe(1)
    await expect.poll(() => told).toEqual(['Make a plan'])
    planning[0]?.answer()
    expect(await answer).toMatchObject({ structuredContent: { kind: 'none' } })
    await client.close()
  })

  test('that cancels stops the work itself, and the call is logged as cancelled', async () => {
    const client = await connect()
    const cancelled = new AbortController()
    const before = (await outcomes()).filter((outcome) => outcome === 'cancelled').length
    const answer = client.draft({ signal: cancelled.signal }).catch(() => 'gone')
    await expect.poll(() => planning.length).toBe(1)
    expect(planning[0]?.signal?.aborted).toBe(false)
    cancelled.abort()
    expect(await answer).toBe('gone')
    await expect.poll(() => planning[0]?.signal?.aborted).toBe(true)
    await expect
      .poll(async () => (await outcomes()).filter((outcome) => outcome === 'cancelled').length)
      .toBe(before + 1)
    // And the next one is answered as ever.
    const next = client.draft({})
    await expect.poll(() => planning.length).toBe(2)
    planning[1]?.answer()
    expect(await next).toMatchObject({ structuredContent: { kind: 'none' } })
    await client.close()
  })
})
