import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'

import { ProblemDocumentSchema } from '@septet/contract'
import { instant, type Instant } from '@septet/domain'
import { agentPath, bodyHash, readAgentToken, signedHeaders, type AgentToken, type Statement } from '@septet/plan-files'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { openTestSeptet, type TestSeptet } from './open-test-septet.fixture.ts'

let septet: TestSeptet
let admin: { authorization: string }
beforeAll(async () => {
  septet = await openTestSeptet()
  admin = await septet.signIn('admin@septet.local')
})
afterAll(() => septet.close())

let count = 0
let token: AgentToken
beforeEach(async () => {
  count += 1
  token = await newCluster(`inside ${count}`)
})

const asAdmin = (path: string, body: object) =>
  fetch(`${septet.url}/api/v1/${path}`, {
    method: 'POST',
    headers: { ...admin, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
async function newCluster(name: string): Promise<AgentToken> {
  const added: unknown = await (await asAdmin('connections', { kind: 'agent', name })).json()
  return tokenIn(added)
}
function tokenIn(answer: unknown): AgentToken {
  const text = answer !== null && typeof answer === 'object' && 'agentToken' in answer ? String(answer.agentToken) : ''
  const read = readAgentToken(text)
  if (read === undefined) throw new Error(`no token in ${JSON.stringify(answer)}`)
  return read
}

const NONE = instant(0)
let lastTime = 0
const body = gzipSync('{}')

function statementOf(more: Partial<Statement> = {}): Statement {
  lastTime = Math.max(Date.now(), lastTime + 1)
  return {
    what: 'reading',
    instance: 'one',
    host: 'pod-one',
    version: '1',
    time: instant(lastTime),
    body: bodyHash(body),
    at: NONE,
    after: NONE,
    hasInventory: false,
    wish: '',
    part: 0,
    ...more,
  }
}

type Sent = { readonly by?: AgentToken; readonly to?: string; readonly body?: Uint8Array }
async function send(statement: Statement, { by = token, to = by.cluster, body: sent = body }: Sent = {}) {
  return sendAs(signedHeaders(by.key, statement), to, sent)
}
async function sendAs(headers: Readonly<Record<string, string>>, to = token.cluster, sent: Uint8Array = body) {
  const answer = await fetch(`${septet.url}${agentPath(to)}`, { method: 'POST', headers, body: Buffer.from(sent) })
  const said: unknown = await answer.json()
  const problem = ProblemDocumentSchema.safeParse(said).data
  return { status: answer.status, said, code: problem?.code, detail: problem?.detail ?? '' }
}
const now = Date.now() - 60_000
const at = (seconds: number): Instant => instant(now + seconds * 1000)
const reading = (seconds: number, after: Instant, more: Partial<Statement> = {}) =>
  send(statementOf({ at: at(seconds), after, ...more }))
const kept = async () => (await septet.store.agents.after(token.cluster, NONE, 100)).map((row) => row.at)

describe('readings', () => {
  test('are kept in order, and each answer says which one is the newest', async () => {
    expect(await send(statementOf({ what: 'hello' }))).toMatchObject({
      status: 200,
      said: { received: 0, pollSeconds: 15, wish: null },
    })
    expect(await reading(1, NONE)).toMatchObject({ status: 200, said: { received: at(1) } })
    expect(await reading(2, at(1))).toMatchObject({ status: 200, said: { received: at(2) } })
    expect(await send(statementOf({ what: 'hello' }))).toMatchObject({ said: { received: at(2) } })
    expect(await kept()).toEqual([at(1), at(2)])
  })

  test('that leave one out are refused with the one that is missing', async () => {
    await reading(1, NONE)
    const left = await reading(3, at(2))
    expect(left).toMatchObject({ status: 400, code: 'invalid-input' })
    expect(left.detail).toBe(
      `The reading of ${text(at(3))} follows one of ${text(at(2))}, and the newest one stored is of ${text(at(1))}.`,
    )
    expect(await kept()).toEqual([at(1)])
  })

  test('that are sent again because the answer was lost are answered, and kept once', async () => {
    await reading(1, NONE)
    expect(await reading(1, NONE)).toMatchObject({ status: 200, said: { received: at(1) } })
    expect(await kept()).toEqual([at(1)])
  })

  test('that someone else repeats, word by word, are refused', async () => {
    const headers = signedHeaders(token.key, statementOf({ at: at(1) }))
    expect(await sendAs(headers)).toMatchObject({ status: 200 })
    const again = await sendAs(headers)
    expect(again).toMatchObject({ status: 403, code: 'not-allowed' })
    expect(again.detail).toBe('This request was already received, so it was ignored.')
  })

  test('that were changed on the way are refused: the body, and what is said of it', async () => {
    const signed = signedHeaders(token.key, statementOf({ at: at(1) }))
    const other = await sendAs(signed, token.cluster, gzipSync('{"a":1}'))
    expect(other).toMatchObject({
      status: 403,
      detail: 'The body does not match the signature, so it was rejected.',
    })
    const later = signedHeaders(token.key, statementOf({ at: at(2) }))
    const mixed = { ...signed, 'septet-agent': later['septet-agent'] ?? '' }
    expect(await sendAs(mixed)).toMatchObject({ status: 401 })
    expect(await kept()).toEqual([])
  })

  test('from a time that has not come, or by a clock that is far off, are refused with how far', async () => {
    const ahead = await reading(1000, NONE)
    expect(ahead).toMatchObject({ status: 403 })
    expect(ahead.detail).toMatch(/^The agent’s clock is 1\d min ahead of Septet’s: it says 20/u)
    const behind = await send(statementOf({ time: instant(Date.now() - 3_600_000) }))
    expect(behind.detail).toMatch(/^The agent’s clock is 1 h behind Septet’s/u)
  })

  test('that are too large, packed or unpacked, or not packed at all, are refused and not kept', async () => {
    const large = randomBytes(17 * 1024 * 1024)
    expect(await send(statementOf({ at: at(1), body: bodyHash(large) }), { body: large })).toMatchObject({
      status: 413,
      detail: 'A reading takes at most 16 MiB, and 128 MiB unpacked.',
    })
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024))
    expect(bomb.length).toBeLessThan(1024 * 1024)
    expect(await send(statementOf({ at: at(1), body: bodyHash(bomb) }), { body: bomb })).toMatchObject({
      status: 413,
      detail: 'A reading takes at most 16 MiB, and 128 MiB unpacked.',
    })
    const plain = Buffer.from('{}')
    expect(await send(statementOf({ at: at(1), body: bodyHash(plain) }), { body: plain })).toMatchObject({
      status: 400,
      detail: 'The body is not compressed with gzip, or ends too early.',
    })
    expect(await kept()).toEqual([])
  })
})

describe('an agent', () => {
  test('of another cluster, without a signature or for a cluster that no agent reads is refused in one sentence', async () => {
    const foreign = await newCluster(`foreign ${count}`)
    const refused = await send(statementOf(), { by: foreign, to: token.cluster })
    expect(refused).toMatchObject({ status: 401, code: 'not-signed-in' })
    expect(refused.detail).toBe(
      `This agent’s token is not valid for ${token.cluster}: it was replaced, or that cluster is not read by an agent.`,
    )
    expect(await sendAs({})).toMatchObject({ status: 401, detail: refused.detail })
    expect(await send(statementOf(), { to: 'demo' })).toMatchObject({ status: 401 })
    expect(await send(statementOf(), { to: 'no-such' })).toMatchObject({ status: 401 })
  })

  test('whose token was replaced is refused at once, and the one with the new token goes on', async () => {
    await reading(1, NONE)
    const rotated: unknown = await (await asAdmin(`connections/${token.cluster}/agent-token`, {})).json()
    expect(await reading(2, at(1))).toMatchObject({ status: 401 })
    const by = tokenIn(rotated)
    const fresh = statementOf({ at: at(2), after: at(1), instance: 'two', host: 'pod-two' })
    expect(await send(fresh, { by })).toMatchObject({ status: 200, said: { received: at(2) } })
  })

  test('that comes second is told which one reads the cluster and since when, and is let in after that one left', async () => {
    await reading(1, NONE)
    const { since } = (await septet.store.agents.seen(token.cluster)) ?? { since: 0 }
    const second = { instance: 'two', host: 'pod-two' }
    const refused = await send(statementOf({ ...second, at: at(2), after: at(1) }))
    expect(refused).toMatchObject({ status: 403 })
    expect(refused.detail).toBe(
      `${token.cluster} has been read by the agent on pod-one since ${text(since)}, so the agent on pod-two was refused.`,
    )
    expect(await send(statementOf({ what: 'leave' }))).toMatchObject({ status: 200 })
    expect(await send(statementOf({ ...second, at: at(2), after: at(1) }))).toMatchObject({ status: 200 })
    expect(await kept()).toEqual([at(1), at(2)])
  })

  test('that asks faster than any agent has to is told to wait', async () => {
    const answers = await Promise.all(Array.from({ length: 260 }, () => sendAs({})))
    expect(answers.map(({ status }) => status)).toContain(429)
  })
})

const text = (moment: number): string => new Date(moment).toISOString()
