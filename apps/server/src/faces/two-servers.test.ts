import {
  COPILOT_STREAM_PATH,
  EVENTS_PATH,
  MCP_PATH,
  OPERATIONS,
  REPORT_FILES_PATH,
  ServerEventSchema,
  type ServerEvent,
} from '@septet/contract'
import { instant, type ClusterRecord } from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { generateSync } from 'otplib'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import type { PlanAsked, Waiting } from '../facts.ts'
import { factsOf } from '../operations/answering/facts.fixture.ts'
import { openTestSeptet, type TestSeptet } from './open-test-septet.fixture.ts'
import { agentToken } from './mcp/agent-token.fixture.ts'

/** As a company runs them: the same settings, one database, and whoever comes is sent to either. */
const environment = {
  SEPTET_AUTHORIZED_EMAIL: 'ann@septet.local, ben@septet.local, cal@septet.local',
  SEPTET_SECRET: 'the same thirty-two characters or more',
  SEPTET_PUBLIC_URL: 'http://127.0.0.1:8080',
}
let one: TestSeptet
let other: TestSeptet
let ann: { authorization: string }
/** What the planner was asked, at whichever server: it never answers, but can be told that nobody waits any more. */
let planning: (AbortSignal | undefined)[] = []

const RECORD: ClusterRecord = { id: 'lab', name: 'Lab', kind: 'cluster', createdAt: instant(0) }
const snapshot = draw`a  H100-80GB-HBM3  [team/x]`
/** How often the cluster was judged. */
let judged = 0
const facts = () => {
  const lab = {
    ...factsOf(snapshot, [], RECORD),
    judge: async () => {
      judged += 1
      return []
    },
    plan: (_question: PlanAsked, { signal }: Waiting = {}) => {
      planning.push(signal)
      const { promise, reject } = Promise.withResolvers<never>()
      signal?.addEventListener('abort', () => reject(signal.reason))
      return promise
    },
  }
  return { clusters: () => [lab] }
}

beforeAll(async () => {
  one = await openTestSeptet({ environment, facts: facts() })
  other = await openTestSeptet({ environment, beside: one, facts: facts() })
  ann = await one.signIn('ann@septet.local')
  await one.store.clusters.upsert(RECORD)
})
afterAll(async () => {
  await other.close()
  await one.close()
})

const streams: AbortController[] = []
afterEach(() => streams.splice(0).forEach((stream) => stream.abort()))

/** A browser that listens to one of them. */
async function listenTo({ url }: TestSeptet, lastId?: string) {
  const ended = new AbortController()
  streams.push(ended)
  const answer = await fetch(`${url}${EVENTS_PATH}`, {
    headers: { ...ann, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) },
    signal: ended.signal,
  })
  let text = ''
  const read = async (): Promise<void> => {
    for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) text += piece
  }
  read().catch(() => undefined)
  await expect.poll(() => text).toContain('retry:')
  return {
    ids: () => [...text.matchAll(/^id: (.+)$/gmu)].map(([, id]) => String(id)),
    events: () =>
      [...text.matchAll(/^data: (.+)$/gmu)].map(([, data]) => ServerEventSchema.parse(JSON.parse(String(data)))),
  }
}

const firing = (cluster: string): ServerEvent => ({ kind: 'alerts', cluster, asOf: '2026-11-21T12:00:00.000Z' })

test('what is published at one server reaches the streams of both, once, in order', async () => {
  const [here, there] = [await listenTo(one), await listenTo(other)]
  const published = Array.from({ length: 20 }, (_, number) => firing(`c${number}`))
  for (const event of published) one.publish(event)
  await expect.poll(() => there.events()).toEqual(published)
  other.publish(firing('last'))
  await expect.poll(() => here.events()).toEqual([...published, firing('last')])
  expect(there.events()).toEqual([...published, firing('last')])
})

test('a browser that comes back to the other server is told to ask for everything again', async () => {
  const before = await listenTo(one)
  one.publish(firing('seen'))
  await expect.poll(() => before.ids()).toHaveLength(1)
  const after = await listenTo(other, before.ids()[0])
  await expect.poll(() => after.events().map(({ kind }) => kind)).toEqual(['reset'])
  // From then on it knows this server, and misses nothing here.
  const again = await listenTo(other, after.ids()[0])
  other.publish(firing('next'))
  await expect.poll(() => again.events()).toEqual([firing('next')])
})

test('a server that was cut off from the others tells its clients to ask again, also those that come later', async () => {
  const there = await listenTo(other)
  const known = other.events.lastId()
  await one.store.cutListeners()
  await expect.poll(() => there.events().map(({ kind }) => kind)).toEqual(['reset'])
  const later = await listenTo(other, known)
  await expect.poll(() => later.events().map(({ kind }) => kind)).toEqual(['reset'])
  one.publish(firing('after'))
  await expect.poll(() => there.events().at(-1)).toEqual(firing('after'))
})

let asked = 0
/** Asks whoever's turn it is: what a balancer without sticky sessions does. */
async function ask(what: string, body?: unknown, headers: Record<string, string> = ann) {
  const [method = '', path = ''] = what.split(' ')
  asked += 1
  const answer = await fetch(`${(asked % 2 === 0 ? one : other).url}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
  return answer
}
/** The same twice: each has its turn. */
async function inTurns(once: () => Promise<unknown>): Promise<void> {
  await once()
  await once()
}
/** Of any shape: what it holds is looked at where it is. */
type Answered = { readonly [Name in string]: never }
const json = async (...given: Parameters<typeof ask>) => (await (await ask(...given)).json()) as Answered

const bearer = ({ access_token: token }: Record<string, unknown>) => ({ authorization: `Bearer ${String(token)}` })

test('a person signs in, sets up a second factor and shows it', async () => {
  const [email, password] = ['ben@septet.local', 'a long enough password']
  await json(`PUT /api/v1/members/${email}`, { role: 'admin' })
  await json('POST /auth/v1/signup', { email, password }, {})
  const signIn = () => json('POST /auth/v1/token?grant_type=password', { email, password }, {})
  const first = bearer(await signIn())
  const { id, totp } = await json('POST /auth/v1/factors', { factor_type: 'totp', friendly_name: 'phone' }, first)
  const secret = String((totp as unknown as Answered)['secret'])
  const show = async (as: Record<string, string>, steps: number) => {
    const challenge = await json(`POST /auth/v1/factors/${String(id)}/challenge`, {}, as)
    const code = generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 })
    return json(`POST /auth/v1/factors/${String(id)}/verify`, { challenge_id: challenge['id'], code }, as)
  }
  await show(first, 0)
  const again = await signIn()
  // Without the factor neither lets them in; a step that was used at one server is not taken at the other.
  await inTurns(() =>
    expect(ask('GET /api/v1/policies', undefined, bearer(again))).rejects.toThrow('second-factor-needed'),
  )
  await inTurns(() => expect(show(bearer(again), 0)).rejects.toThrow('422'))
  const raised = await show(bearer(again), 1)
  await inTurns(() => ask('GET /api/v1/policies', undefined, bearer(raised)))
  const refreshed = await json(
    'POST /auth/v1/token?grant_type=refresh_token',
    { refresh_token: raised['refresh_token'] },
    {},
  )
  await inTurns(() => ask('GET /api/v1/policies', undefined, bearer(refreshed)))
  await ask('POST /auth/v1/logout', {}, bearer(refreshed))
  const isOut = async () => {
    const turns = [1, 2].map(() => ask('GET /api/v1/policies', undefined, bearer(refreshed)).then(String, String))
    return (await Promise.all(turns)).map((answer) => answer.includes('401'))
  }
  await expect.poll(isOut).toEqual([true, true])
})

test('a scenario that one computes is told by both', async () => {
  const scenario = { from: 'now', changes: [], boards: 'same', sizes: 'held' }
  const { id } = await json('POST /api/v1/scenarios', { cluster: 'lab', scenario })
  const states = async () => [
    (await json(`GET /api/v1/scenarios/${String(id)}`))['state'],
    (await json(`GET /api/v1/scenarios/${String(id)}`))['state'],
  ]
  await expect.poll(states).toEqual(['done', 'done'])
  const results = [1, 2].map(async () => (await json(`GET /api/v1/scenarios/${String(id)}`))['result'])
  const [here, there] = await Promise.all(results)
  expect(here).toEqual(there)
})

test('a plan is waited for at the other server, and ended from there', async () => {
  const begun = await json('POST /api/v1/plans', {
    cluster: 'lab',
    goal: { kind: 'room-for', profile: '1g.10gb' },
    wait: 0,
  })
  const path = `/api/v1/plans/${String(begun['id'])}`
  await inTurns(async () => expect(await json(`GET ${path}?wait=0`)).toMatchObject({ state: 'running' }))
  asked += 1
  await ask(`DELETE ${path}`)
  await expect.poll(() => planning.at(-1)?.aborted).toBe(true)
})

test('the test of a connection is followed at the other server', async () => {
  const kubeconfig = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: 'http://127.0.0.1:1' } }],
    users: [{ name: 'u', user: { token: 'x' } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'c',
  })
  const { id } = await json('POST /api/v1/connections/tests', { kind: 'kubeconfig', kubeconfig })
  const told = () => json(`GET /api/v1/connections/tests/${String(id)}`)
  await expect.poll(async () => [(await told())['done'], (await told())['done']]).toEqual([true, true])
  const [here, there] = [await told(), await told()]
  expect(here).toEqual(there)
  expect(JSON.stringify(here['steps'])).toContain('Cannot reach the Kubernetes API at http://127.0.0.1:1')
})

const outcomes = async () => {
  const lists = [1, 2].map(() => json('GET /api/v1/agents/calls'))
  return (await Promise.all(lists)).map((list) =>
    OPERATIONS.agentsCalls.output.parse(list).calls.map(({ tool, outcome }) => `${tool} ${outcome}`),
  )
}

test('what programs asked is listed by both, and a call at one is cancelled at the other', async () => {
  const agent = { authorization: `Bearer ${await agentToken(one, ['read', 'plan'])}` }
  const call = (id: number, method: string, params: object) =>
    ask(
      `POST ${MCP_PATH}`,
      { jsonrpc: '2.0', ...(id === 0 ? {} : { id }), method, params },
      {
        ...agent,
        accept: 'application/json, text/event-stream',
      },
    )
  for (const id of [1, 2]) await call(id, 'tools/call', { name: 'fleet_summary', arguments: { cluster: 'lab' } })
  const answered = ['fleet_summary answered', 'fleet_summary answered']
  await expect.poll(outcomes).toEqual([answered, answered])
  planning = []
  const drafting = call(7, 'tools/call', { name: 'draft_plan', arguments: { goal: 'room-for', profile: '1g.10gb' } })
  await expect.poll(() => planning).toHaveLength(1)
  await call(0, 'notifications/cancelled', { requestId: 7 })
  await expect.poll(() => planning[0]?.aborted).toBe(true)
  await drafting.catch(() => undefined)
  await expect.poll(outcomes).toEqual([
    ['draft_plan cancelled', ...answered],
    ['draft_plan cancelled', ...answered],
  ])
})

test('a token that one made opens the other, until it is revoked', async () => {
  const { secret, token } = await json('POST /api/v1/tokens', { name: 'two', role: 'viewer' })
  const viewer = { authorization: `Bearer ${String(secret)}` }
  await inTurns(() => ask('GET /api/v1/clusters', undefined, viewer))
  await ask(`DELETE /api/v1/tokens/${String((token as unknown as Answered)['id'])}`)
  await inTurns(() => expect(ask('GET /api/v1/clusters', undefined, viewer)).rejects.toThrow('401'))
})

test('what the co-pilot answered at one is in the history of the other, and both make the report', async () => {
  const heard = await (
    await ask(`POST ${COPILOT_STREAM_PATH}`, { question: 'How many GPUs are idle?', cluster: 'lab' })
  ).text()
  expect(heard).toContain('event: answer')
  const histories = await Promise.all([1, 2].map(() => json('GET /api/v1/copilot/history')))
  expect(histories[0]).toEqual(histories[1])
  expect(histories[0]?.['answers']).toHaveLength(1)
  await inTurns(async () => {
    const pdf = await ask(`GET ${REPORT_FILES_PATH}/pdf?cluster=lab`)
    expect(Buffer.from(await pdf.arrayBuffer()).toString('latin1', 0, 5)).toBe('%PDF-')
  })
})

test('the server that judges alerts looks again when their rules are changed at the other', async () => {
  const headers = { ...ann, 'content-type': 'application/json' }
  const address = `${other.url}/api/v1/alert-rules`
  const rules = await (await fetch(address, { headers })).json()
  const before = judged
  expect((await fetch(address, { method: 'PUT', headers, body: JSON.stringify(rules) })).status).toBe(200)
  // Sooner than it would by itself.
  await expect.poll(() => judged, { timeout: 15_000 }).toBeGreaterThan(before)
})

test('what is set at one is in force at the other without a restart', async () => {
  const role = async () => (await fetch(`${other.url}/api/v1/members`, { headers: cal })).status
  const cal = await one.signIn('cal@septet.local')
  await fetch(`${one.url}/api/v1/members/cal@septet.local`, {
    method: 'PUT',
    headers: { ...ann, 'content-type': 'application/json' },
    body: JSON.stringify({ role: 'viewer' }),
  })
  await expect.poll(role).toBe(403)
  const toolsets = async () =>
    OPERATIONS.agentsGet.output.parse(await (await fetch(`${other.url}/api/v1/agents`, { headers: ann })).json())
      .toolsets
  await fetch(`${one.url}/api/v1/agents`, {
    method: 'PUT',
    headers: { ...ann, 'content-type': 'application/json' },
    body: JSON.stringify({ toolsets: ['read'] }),
  })
  await expect.poll(toolsets).toEqual(['read'])
  // A key that leaked opens neither any more.
  await one.identity.service.rotateKeys({ leaked: true })
  const opens = async ({ url }: TestSeptet) => (await fetch(`${url}/api/v1/clusters`, { headers: ann })).status
  expect(await opens(one)).toBe(401)
  await expect.poll(() => opens(other)).toBe(401)
})
