import { join } from 'node:path'

import { Client, StreamableHTTPClientTransport, type ElicitResult } from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OlderStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { DEFAULT_ACT_POLICY, instant, type ClusterRecord, type Outlook } from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { writeActPolicy } from '../../act-policies.ts'
import { adviceOf } from '../../operations/actions/advice.fixture.ts'
import { factsOf } from '../../operations/answering/facts.fixture.ts'
import { openTestSeptet, type TestSeptet } from '../open-test-septet.fixture.ts'
import { agentToken } from './agent-token.fixture.ts'

const RECORD: ClusterRecord = { id: 'lab', name: 'Lab', kind: 'cluster', createdAt: instant(0) }
const ADVICE = adviceOf('lab', Date.now())

let septet: TestSeptet
let secret: string
let outlook: Outlook | undefined

beforeAll(async () => {
  const facts = {
    ...factsOf(draw`a  H100-80GB-HBM3  [team/x]`, [], RECORD),
    acting: () => ({ kind: 'ready' as const }),
    outlook: async () => outlook,
  }
  septet = await openTestSeptet({
    environment: { SEPTET_AUTHORIZED_EMAIL: 'ann@septet.local' },
    facts: { clusters: () => [facts] },
  })
  secret = await agentToken(septet)
  await septet.store.clusters.upsert(RECORD)
  const modes = { ...DEFAULT_ACT_POLICY.modes, 'reclaim-idle': 'approve' as const }
  const ANY = { pods: null, nodes: null, gpus: null, usdPerHour: null }
  const policy = {
    ...DEFAULT_ACT_POLICY,
    modes,
    windows: [],
    protectedNamespaces: [],
    auto: { classes: [], budget: { hour: ANY, day: ANY }, keptToAdvance: 3, resumedAt: {} },
    limits: { run: ANY, hour: ANY, day: ANY },
  }
  await writeActPolicy(septet.store.settings, 'lab', { policy, changedAt: 0, changedBy: 'ann' })
})
afterAll(() => septet.close())

let plan = 0
beforeEach(async () => {
  outlook = undefined
  // A plan of its own for each test: what was proposed before is found again.
  plan += 1
  const advice = adviceOf('lab', ADVICE.madeAt, `plan-${plan}`)
  await septet.store.recommendations.replace('lab', { madeAt: ADVICE.madeAt, recommendations: [advice] })
})

type Answer = (message: string) => ElicitResult

async function connected(answer: Answer | undefined): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: 'auto' },
    },
  )
  if (answer !== undefined) client.setRequestHandler('elicitation/create', ({ params }) => answer(params.message))
  const headers = { authorization: `Bearer ${secret}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${septet.url}/mcp`), { requestInit: { headers } }))
  return client
}

const apply = (client: Client) =>
  client.callTool({ name: 'apply_recommendation', arguments: { recommendation: ADVICE.id } })

const MAIN = join(import.meta.dirname, '../../../../cli/src/main.ts')

/** A client of 2025 that starts `septet mcp` and shows forms. */
async function olderOnStdio(answer: Answer): Promise<OlderClient> {
  const client = new OlderClient({ name: 'older', version: '1' }, { capabilities: { elicitation: {} } })
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message))
  await client.connect(olderCommand())
  return client
}
const olderCommand = () =>
  new OlderStdio({
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', MAIN, 'mcp', '--server', septet.url],
    env: { ...process.env, SEPTET_TOKEN: secret },
  })
const applyWith = (client: OlderClient, options = {}) =>
  client.callTool({ name: 'apply_recommendation', arguments: { recommendation: ADVICE.id } }, undefined, {
    timeout: 180_000,
    ...options,
  })

const newest = async () => {
  const [run] = await septet.store.actions.list({ cluster: 'lab', limit: 1 })
  return run
}

describe('changes by agents', () => {
  test('a person sees the exact plan and the way back, and what they approve is the row of the inbox', async () => {
    const asked: string[] = []
    const client = await connected((message) => {
      asked.push(message)
      return { action: 'accept', content: { approve: true } }
    })
    const answer = await apply(client)
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain('1. Scale team/Deployment/chat from 1 to 0 pods')
    expect(asked[0]).toContain('Pods that stop: 1: team/chat-0')
    expect(asked[0]).toMatch(/Rollback: .*chat/u)
    const run = await newest()
    expect(answer.structuredContent).toMatchObject({ action: run?.id, state: 'approved' })
    expect(run).toMatchObject({ proposedBy: 'token:agent', proposer: 'token' })
    expect(run?.transitions.at(-1)).toMatchObject({ state: 'approved', by: 'ann@septet.local' })
    await client.close()
  })

  test.each<[string, ElicitResult]>([
    ['declines', { action: 'decline' }],
    ['goes away', { action: 'cancel' }],
    ['leaves the box empty', { action: 'accept', content: { approve: false } }],
  ])('nothing is approved where the person %s', async (_what, result) => {
    const client = await connected(() => result)
    expect((await apply(client)).isError).toBe(true)
    expect((await newest())?.transitions.at(-1)?.state).toBe('rejected')
    await client.close()
  })

  test('a person is not asked about what would fail once it is approved, and reads what it would wait for', async () => {
    const asked: string[] = []
    const client = await connected((message) => {
      asked.push(message)
      return { action: 'accept', content: { approve: true } }
    })
    outlook = { refused: 'It saves $12.00 a month; the minimum is $50.00.', waits: undefined }
    expect(JSON.stringify(await apply(client))).toContain('was not proposed: It saves $12.00 a month')
    expect(asked).toEqual([])
    outlook = { refused: undefined, waits: 'No maintenance window is open.' }
    await apply(client)
    expect(asked[0]).toContain('Once approved, it waits. No maintenance window is open.')
    await client.close()
  })

  test('a client that cannot ask a person changes nothing, and shows a link to where they approve it', async () => {
    const client = await connected(undefined)
    const answer = await apply(client)
    const run = await newest()
    expect(run?.transitions.at(-1)?.state).toBe('proposed')
    const page = `${septet.url}/dashboard/actions?cluster=lab&action=${run?.id}`
    expect(answer).toMatchObject({
      structuredContent: { action: run?.id, state: 'proposed', page, confirm: page },
      content: [{ text: expect.stringMatching(/nothing is changed yet.*Pods that stop: 1: team\/chat-0/su) }],
    })
    expect(JSON.stringify(answer.content)).toContain(page)
    await client.close()
  })

  test('a client of 2025 over HTTP, which is asked nothing while its call is open, gets the link too', async () => {
    const params = { name: 'apply_recommendation', arguments: { recommendation: ADVICE.id } }
    const response = await fetch(`${septet.url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, ...JSON_BODY, 'mcp-protocol-version': '2025-06-18' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
    expect(await response.text()).toContain(`/dashboard/actions?cluster=lab&action=${(await newest())?.id}`)
    expect((await newest())?.transitions.at(-1)?.state).toBe('proposed')
  })

  test('a client of 2025 on stdio shows the question while its call is open, and acts by the answer', async () => {
    const asked: string[] = []
    const client = await olderOnStdio((message) => {
      asked.push(message)
      return { action: 'accept', content: { approve: true } }
    })
    const answer = await applyWith(client)
    expect(asked).toEqual([expect.stringContaining('Pods that stop: 1: team/chat-0')])
    const run = await newest()
    expect(answer['structuredContent']).toMatchObject({ action: run?.id, state: 'approved' })
    expect(run?.transitions.at(-1)).toMatchObject({ state: 'approved', by: 'ann@septet.local' })
    await client.close()
  })

  test('and changes nothing where the person there declines', async () => {
    const client = await olderOnStdio(() => ({ action: 'decline' }))
    expect((await applyWith(client))['isError']).toBe(true)
    expect((await newest())?.transitions.at(-1)?.state).toBe('rejected')
    await client.close()
  })

  test('nor where the call is cancelled before they answer: the question is taken back', async () => {
    const call = new AbortController()
    const { promise: takenBack, resolve } = Promise.withResolvers<void>()
    const client = new OlderClient({ name: 'older', version: '1' }, { capabilities: { elicitation: {} } })
    client.setRequestHandler(ElicitRequestSchema, async (_asked, { signal }) => {
      signal.addEventListener('abort', () => resolve())
      call.abort()
      await takenBack
      return { action: 'accept', content: { approve: true } }
    })
    await client.connect(olderCommand())
    await expect(applyWith(client, { signal: call.signal })).rejects.toThrow('abort')
    await takenBack
    await client.ping()
    expect((await newest())?.transitions.at(-1)?.state).toBe('proposed')
    await client.close()
  })

  test('an answer counts once, and only as it was sealed', async () => {
    const first = await raw({ name: 'apply_recommendation', arguments: { recommendation: ADVICE.id } })
    const { requestState } = first.result ?? {}
    const yes = { approve: { action: 'accept', content: { approve: true } } }
    const answered = (state: unknown, name = 'apply_recommendation') =>
      raw({ name, arguments: { recommendation: ADVICE.id }, requestState: state, inputResponses: yes })
    expect((await answered(`${String(requestState).slice(0, -3)}abc`)).error?.code).toBe(-32_602)
    expect(JSON.stringify(await answered(requestState, 'control_acting'))).toContain('isError')
    expect((await newest())?.transitions.at(-1)?.state).toBe('proposed')
    expect((await answered(requestState)).result?.['structuredContent']).toMatchObject({ state: 'approved' })
    expect(JSON.stringify(await answered(requestState))).toContain('answered before')
  })

  test('an answer that comes after ten minutes is none', async () => {
    const { requestState } =
      (await raw({ name: 'apply_recommendation', arguments: { recommendation: ADVICE.id } })).result ?? {}
    const yes = { approve: { action: 'accept', content: { approve: true } } }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 })
    try {
      const late = await raw({
        name: 'apply_recommendation',
        arguments: { recommendation: ADVICE.id },
        requestState,
        inputResponses: yes,
      })
      expect(late.error?.code).toBe(-32_602)
    } finally {
      vi.useRealTimers()
    }
    expect((await newest())?.transitions.at(-1)?.state).toBe('proposed')
  })

  test('an undo names the pods that stop before a person confirms it', async () => {
    await apply(await connected(() => ({ action: 'accept', content: { approve: true } })))
    const run = await newest()
    if (run === undefined) throw new Error('nothing was proposed')
    for (const [index, state] of (
      ['checked', 'rehearsed', 'applying', 'applied', 'verified', 'kept'] as const
    ).entries()) {
      const number = run.transitions.length + index + 1
      const step = state === 'applying' ? { step: 1 } : {}
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await septet.store.actions.advance(run.id, {
        number,
        at: instant(Date.now()),
        state,
        by: 'septet',
        because: 'So.',
        ...step,
      })
    }
    const asked: string[] = []
    const client = await connected((message) => {
      asked.push(message)
      return { action: 'decline' }
    })
    await client.callTool({ name: 'control_acting', arguments: { do: 'undo', action: run.id, reason: 'Latency rose' } })
    expect(asked[0]).toContain('Pods that stop: none')
    expect((await newest())?.transitions.at(-1)?.state).toBe('kept')
    await client.close()
  })

  test('a person sees what an agent wants to reject before it is rejected, with the reason', async () => {
    await apply(await connected(undefined))
    const run = await newest()
    const rejected = async (result: ElicitResult) => {
      const asked: string[] = []
      const client = await connected((message) => {
        asked.push(message)
        return result
      })
      const given = { do: 'reject', action: run?.id, reason: 'Not this week' }
      const answer = await client.callTool({ name: 'control_acting', arguments: given })
      await client.close()
      return { answer, asked }
    }
    const { asked } = await rejected({ action: 'decline' })
    expect(asked).toEqual([expect.stringMatching(/^Reject "Scale .*Reason: Not this week$/su)])
    expect((await newest())?.transitions.at(-1)?.state).toBe('proposed')
    const { answer } = await rejected({ action: 'accept', content: { approve: true } })
    expect(answer.structuredContent).toMatchObject({ state: 'rejected', because: 'Not this week' })
    expect((await newest())?.transitions.at(-1)).toMatchObject({ by: 'ann@septet.local', because: 'Not this week' })
    // It is over: there is nothing to ask a person.
    expect((await rejected({ action: 'accept', content: { approve: true } })).asked).toEqual([])
  })

  test('a stop takes no question, and holds; what changes a cluster is labelled as such', async () => {
    const client = await connected(undefined)
    const { tools } = await client.listTools()
    const acting = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)
    expect(acting.map(({ name, annotations }) => [name, annotations?.destructiveHint])).toEqual([
      ['apply_recommendation', true],
      ['control_acting', true],
    ])
    const stopped = await client.callTool({ name: 'control_acting', arguments: { do: 'stop', reason: 'Looks wrong' } })
    expect(stopped.structuredContent).toMatchObject({ stops: ['token:agent: Looks wrong'] })
    expect(await septet.store.actions.stops()).toHaveLength(1)
    await client.close()
  })

  test('an agent stops acting a few times an hour; after that it is people who do', async () => {
    const client = await connected(undefined)
    const stop = () => client.callTool({ name: 'control_acting', arguments: { do: 'stop', reason: 'Looks wrong' } })
    const refusals: string[] = []
    for (let calls = 0; calls < 6; calls++) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, until it is enough
      const { isError, content } = await stop()
      if (isError === true) refusals.push(JSON.stringify(content))
    }
    expect(refusals.at(-1)).toContain('they can stop it under Actions in the dashboard at any time')
    await client.close()
  })
})

const JSON_BODY = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

type Answered = { result?: Record<string, unknown>; error?: { code: number } }

/** One request as it goes over the wire. */
async function raw(params: Record<string, unknown>): Promise<Answered> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  }
  const response = await fetch(`${septet.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      ...JSON_BODY,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': String(params['name']),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: meta } }),
  })
  return (await response.json()) as Answered
}
