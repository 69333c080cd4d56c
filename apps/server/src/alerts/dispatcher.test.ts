import { guarded } from '@septet/connectors'
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'

import { DAY_MS, HOUR_MS, instant, type Store } from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { writeChannels, type Channel } from '../alert-settings.ts'
import { newDelivery } from './alert-engine.ts'
import { testMessage } from './alert-message.ts'
import { Dispatcher } from './dispatcher.ts'
import { makeSigningSecret } from './sign-webhook.ts'

type Got = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }
type Says = { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string } | 'nothing'

const START = Date.UTC(2026, 10, 17, 9)
const SECRET = makeSigningSecret()

let receiver: Server
let url = ''
let got: Got[] = []
let says: Says = { status: 200 }
beforeAll(async () => {
  receiver = createServer((request, answer) => {
    let body = ''
    request.on('data', (text: Buffer) => (body += text.toString()))
    request.on('end', () => {
      got.push({ path: request.url ?? '', headers: request.headers, body })
      if (says !== 'nothing') answer.writeHead(says.status, says.headers).end(says.body ?? 'ok')
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const address = receiver.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
})
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})

let store: Store
let now = START
let mails: { to: string; subject: string; text: string; html: string }[] = []
let mailSays = 'sent'
beforeEach(async () => {
  store = await openTestStore()
  now = START
  got = []
  mails = []
  mailSays = 'sent'
  says = { status: 200 }
})

const dispatcher = (allowLoopback = true) =>
  new Dispatcher({
    isLeading: () => true,
    store,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    carriers: {
      open: (purpose, sealed) => sealed.slice(`${purpose}:`.length),
      mail: async (letter) => {
        mails.push(letter)
        return mailSays
      },
      guard: (target) => guarded(target, allowLoopback),
      timeoutMs: 300,
      now: () => now,
    },
  })

const channel = (kind: Channel['kind'], target: string): Channel => ({
  id: 'it',
  kind,
  shown: '',
  sealedTarget: `channel/it:${target}`,
  sealedSecret: kind === 'webhook' ? `channel-secret/it:${SECRET}` : null,
  changedAt: 0,
  changedBy: '',
})

/** Adds a message to a channel and sends what is due; the message as it is then. */
async function send(kind: Channel['kind'] = 'webhook', target = `${url}/hook`, allowLoopback = true) {
  await writeChannels(store.settings, [channel(kind, target)])
  const content = testMessage('https://septet.example')
  const made = newDelivery(
    { channel: 'it', about: 'test', alerts: [] },
    { now: instant(now), cluster: '', title: 't', content },
  )
  await store.alerts.deliveries.add(made)
  await dispatcher(allowLoopback).settled(made.id, 5000)
  return { id: made.id, ...(await stateOf(made.id)) }
}
async function stateOf(id: string) {
  const delivery = await store.alerts.deliveries.get(id)
  const attempts = await store.alerts.deliveries.attempts([id])
  return { state: delivery?.state, nextAt: delivery?.nextAt, attempts }
}

describe('a signed webhook', () => {
  test('carries a signature that a Standard Webhooks receiver accepts', async () => {
    const { id, state, attempts } = await send()
    expect(state).toBe('delivered')
    expect(attempts).toMatchObject([{ attempt: 1, outcome: 'delivered', status: 200, detail: 'ok' }])
    const [{ headers, body } = { path: '', headers: {}, body: '' } satisfies Got as Got] = got
    const key = Buffer.from(SECRET.replace('whsec_', ''), 'base64')
    expect(key.length).toBe(32)
    const signed = createHmac('sha256', key)
      .update(`${id}.${START / 1000}.${body}`)
      .digest('base64')
    expect(headers).toMatchObject({ 'webhook-id': id, 'webhook-timestamp': String(START / 1000) })
    expect(headers['webhook-signature']).toBe(`v1,${signed}`)
    expect(JSON.parse(body)).toMatchObject({ type: 'septet.test', data: { about: 'test' } })
  })

  test('is tried again with growing delays, also by another process, and with its id', async () => {
    says = { status: 503, body: `<b>no</b>\n${'x'.repeat(500)}` }
    const { id, state, nextAt, attempts } = await send()
    expect([state, nextAt]).toEqual(['waiting', now + 5000])
    expect(attempts[0]?.detail).toHaveLength(200)
    await dispatcher().settled(id, 1000)
    expect(got).toHaveLength(1)
    now += 5000
    await dispatcher().settled(id, 1000)
    expect((await stateOf(id)).nextAt).toBe(now + 30_000)
    now += 30_000
    says = { status: 204 }
    await dispatcher().settled(id, 1000)
    expect((await stateOf(id)).state).toBe('delivered')
    expect(new Set(got.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]))
    expect(new Set(got.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(3)
  })

  test('is given up after a day', async () => {
    says = { status: 500 }
    const { id } = await send()
    for (let tries = 0; tries < 30; tries += 1) {
      const { nextAt } = await stateOf(id)
      if (nextAt === undefined) break
      now = nextAt
      await dispatcher().settled(id, 1000)
    }
    const { state, attempts } = await stateOf(id)
    expect(state).toBe('failed')
    expect(attempts.length).toBeGreaterThan(8)
    expect(now - START).toBeLessThanOrEqual(DAY_MS)
    expect(now - START).toBeGreaterThan(16 * HOUR_MS)
  })

  test.each([400, 401, 404, 410])('that is refused with %i is not tried again', async (status) => {
    says = { status }
    expect(await send()).toMatchObject({ state: 'failed', nextAt: undefined })
  })

  test('waits as long as a receiver asks', async () => {
    says = { status: 429, headers: { 'retry-after': '600' } }
    expect(await send()).toMatchObject({ state: 'waiting', nextAt: now + 600_000 })
    says = { status: 503, headers: { 'retry-after': new Date(now + HOUR_MS).toUTCString() } }
    expect(await send()).toMatchObject({ state: 'waiting', nextAt: now + HOUR_MS })
    says = { status: 429, headers: { 'retry-after': '999999' } }
    expect(await send()).toMatchObject({ state: 'failed' })
  })

  test('does not wait for a receiver that keeps silent', async () => {
    says = 'nothing'
    const { state, attempts } = await send()
    expect(state).toBe('waiting')
    expect(attempts).toMatchObject([{ status: undefined, detail: 'No answer in 0.3 seconds.' }])
  })

  test('follows no redirect', async () => {
    says = { status: 302, headers: { location: `${url}/elsewhere` } }
    expect(await send()).toMatchObject({ state: 'failed' })
    expect(got.map(({ path }) => path)).toEqual(['/hook'])
  })

  test('is not sent to this machine or to metadata, by address or by name, and its address is not told', async () => {
    for (const target of [
      `${url}/hook`,
      'http://169.254.169.254/latest/secret',
      url.replace('127.0.0.1', 'localhost'),
    ]) {
      const { state, attempts } = await send('webhook', target, false)
      expect(state).toBe('failed')
      expect(attempts[0]?.detail).not.toContain('secret')
    }
    expect(got).toEqual([])
  })
})

test('a Slack-compatible webhook gets text whose signs have no meaning, and no signature', async () => {
  await send('slack')
  expect(got[0]?.headers['webhook-signature']).toBeUndefined()
  expect(JSON.parse(got[0]?.body ?? '')).toMatchObject({
    text: expect.stringContaining('Septet can reach this channel'),
  })
})

test('a mail that stays in the outbox has arrived, one that was not sent is tried again', async () => {
  mailSays = 'kept here: no mail server is set'
  expect(await send('email', 'a@example.com')).toMatchObject({ state: 'delivered' })
  expect(mails).toMatchObject([{ to: 'a@example.com', subject: '[Septet] Septet can reach this channel' }])
  mailSays = 'not sent: connection refused'
  expect(await send('email', 'a@example.com')).toMatchObject({ state: 'waiting' })
})

test('what waits for a channel that was removed is given up, with the reason', async () => {
  says = { status: 500 }
  const { id } = await send()
  await writeChannels(store.settings, [])
  now += HOUR_MS
  await dispatcher().settled(id, 1000)
  expect(await stateOf(id)).toMatchObject({ state: 'failed', attempts: [{}, { detail: 'The channel was removed.' }] })
})
