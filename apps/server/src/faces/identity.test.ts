import { OPERATIONS, type OutputOf } from '@septet/contract'
import { DEFAULT_ACT_POLICY, instant, type ClusterRecord } from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { writeActPolicy } from '../act-policies.ts'
import { writeAgentSettings } from '../agent-settings.ts'
import { adviceOf } from '../operations/actions/advice.fixture.ts'
import { factsOf } from '../operations/answering/facts.fixture.ts'
import { openIssuer, type TestIssuer } from './mcp/open-issuer.fixture.ts'
import { openTestSeptet, type TestSeptet } from './open-test-septet.fixture.ts'

/** Names are free again once a token is revoked, and everybody may use one client: nobody is known by a name. */

const RECORD: ClusterRecord = { id: 'lab', name: 'Lab', kind: 'cluster', createdAt: instant(0) }
const [ANN, BOB] = ['ann@septet.local', 'bob@septet.local']
const ADVICE = adviceOf('lab', Date.now())

type Headers = { readonly authorization: string }
type Made = OutputOf<typeof OPERATIONS.tokensCreate>

let septet: TestSeptet
let issuer: TestIssuer
let ann: Headers
let bob: Headers

beforeAll(async () => {
  const facts = {
    ...factsOf(draw`a  H100-80GB-HBM3  [team/x]`, [], RECORD),
    acting: () => ({ kind: 'ready' as const }),
  }
  issuer = await openIssuer(ANN)
  septet = await openTestSeptet({
    environment: { SEPTET_AUTHORIZED_EMAIL: `${ANN},${BOB}`, SEPTET_MCP_ISSUER: issuer.url },
    facts: { clusters: () => [facts] },
  })
  await septet.store.clusters.upsert(RECORD)
  await writeAgentSettings(septet.store.settings, { toolsets: ['read', 'plan', 'act'], at: 0, by: ANN })
  const modes = { ...DEFAULT_ACT_POLICY.modes, 'reclaim-idle': 'approve' as const }
  const any = { pods: null, nodes: null, gpus: null, usdPerHour: null }
  const policy = {
    ...DEFAULT_ACT_POLICY,
    modes,
    windows: [],
    protectedNamespaces: [],
    auto: { classes: [], budget: { hour: any, day: any }, keptToAdvance: 3, resumedAt: {} },
    limits: { run: any, hour: any, day: any },
  }
  await writeActPolicy(septet.store.settings, 'lab', { policy, changedAt: 0, changedBy: ANN })
  ann = await septet.signIn(ANN)
  bob = await septet.signIn(BOB)
  await send('PUT', `/api/v1/members/${BOB}`, { as: ann, body: { role: 'operator' } })
})
afterAll(async () => {
  await septet.close()
  await issuer.close()
})

let plan = 0
beforeEach(async () => {
  // A plan of its own for each test: what was proposed before is found again.
  plan += 1
  const advice = adviceOf('lab', ADVICE.madeAt, `plan-${plan}`)
  await septet.store.recommendations.replace('lab', { madeAt: ADVICE.madeAt, recommendations: [advice] })
})

const send = (method: string, path: string, { as, body }: { as: Headers; body?: unknown }): Promise<Response> =>
  fetch(`${septet.url}${path}`, {
    method,
    headers: { ...as, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
const made = async (as: Headers, body: object): Promise<Made> =>
  OPERATIONS.tokensCreate.output.parse(await (await send('POST', '/api/v1/tokens', { as, body })).json())
const bearer = ({ secret }: Made): Headers => ({ authorization: `Bearer ${secret}` })
const revoke = async ({ token }: Made, as = ann): Promise<void> => {
  expect((await send('DELETE', `/api/v1/tokens/${token.id}`, { as })).status).toBe(200)
}

/** An agent searches, which is a call of a tool. */
const search = async (as: Headers, query: string): Promise<void> => {
  const answer = await fetch(`${septet.url}/mcp`, {
    method: 'POST',
    headers: { ...as, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search', arguments: { query } },
    }),
  })
  expect(answer.status).toBe(200)
  await answer.text()
}
const callsSeen = async (as: Headers): Promise<readonly string[]> => {
  const answer = OPERATIONS.agentsCalls.output.parse(await (await send('GET', '/api/v1/agents/calls', { as })).json())
  return answer.calls.map(({ caller }) => caller)
}

describe('the calls of agents', () => {
  test('of a token are not shown to another one that has its name since, nor to anyone who made that', async () => {
    const first = await made(ann, { name: 'shared', role: 'viewer' })
    await search(bearer(first), 'a')
    await revoke(first)
    const second = await made(bob, { name: 'shared', role: 'viewer', namespaces: ['team'] })
    expect(await callsSeen(bearer(second))).toEqual([])
    expect(await callsSeen(bob)).toEqual([])
    await search(bearer(second), 'b')
    expect(await callsSeen(bearer(second))).toEqual(['token:shared'])
    expect(await callsSeen(bob)).toEqual(['token:shared'])
    await revoke(second)
  })

  test('of one person are not shown to another who comes by the same client', async () => {
    const aud = `${septet.url}/mcp`
    const by = async (email: string, sub: string) => ({
      authorization: `Bearer ${await issuer.signed({ aud, email, sub, scope: 'read', client_id: 'desktop' })}`,
    })
    const before = (await callsSeen(bob)).length
    await search(await by(ANN, 'ann'), 'a')
    expect(await callsSeen(bob)).toHaveLength(before)
    await search(await by(BOB, 'bob'), 'b')
    expect(await callsSeen(bob)).toHaveLength(before + 1)
  })
})

const propose = async (as: Headers): Promise<{ id: string; digest: string }> => {
  const body = { cluster: 'lab', recommendation: ADVICE.id }
  return OPERATIONS.actionsPropose.output.parse(await (await send('POST', '/api/v1/actions', { as, body })).json())
}
const approve = async ({ id, digest }: { id: string; digest: string }, as: Headers) => {
  const answer = await send('PUT', `/api/v1/actions/${id}/approval`, { as, body: { cluster: 'lab', digest } })
  return [answer.status, ((await answer.json()) as { detail?: string }).detail]
}

describe('an approval', () => {
  test('of what a program proposed is not given by another token of the same account', async () => {
    const [one, two] = [
      await made(ann, { name: 'one', role: 'operator' }),
      await made(ann, { name: 'two', role: 'operator' }),
    ]
    const action = await propose(bearer(one))
    expect(await approve(action, bearer(two))).toEqual([
      403,
      expect.stringContaining('programs cannot approve their own proposals'),
    ])
    expect((await approve(action, ann))[0]).toBe(200)
    await revoke(one)
    await revoke(two)
  })

  test('is given by the token of somebody else, though it has the name of the one that proposed', async () => {
    const first = await made(ann, { name: 'agent', role: 'operator' })
    const action = await propose(bearer(first))
    await revoke(first)
    const second = await made(bob, { name: 'agent', role: 'operator' })
    expect((await approve(action, bearer(second)))[0]).toBe(200)
    await revoke(second)
  })
})

test('a token ends itself, and not one that had its name', async () => {
  const first = await made(ann, { name: 'own', role: 'viewer' })
  await revoke(first)
  const second = await made(ann, { name: 'own', role: 'viewer' })
  const answer = await send('DELETE', '/api/v1/tokens/self', { as: bearer(second) })
  expect(await answer.json()).toEqual({ revoked: second.token.id })
})
