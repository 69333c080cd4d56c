import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'

import { OPERATIONS } from '@septet/contract'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { eventually, signIn } from '../../server-process.ts'
import { demoSeptet, openBrowser, type SharedSeptet } from '../../shared/shared.ts'
import { ADMIN, signInByForm } from './dashboard-page.ts'

const VIEWER = { ...ADMIN, email: 'viewer@example.com' }

let septet: SharedSeptet
let browser: Browser
let headers: { authorization: string }
let admin: Page
let receiver: Receiver

beforeAll(async () => {
  ;[septet, browser, receiver] = await Promise.all([demoSeptet(), openBrowser(), openReceiver()])
  headers = await signIn(septet, ADMIN)
  await signIn(septet, VIEWER)
  await fetch(`${septet.url}/api/v1/members/${VIEWER.email}`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ role: 'viewer' }),
  })
  await eventually(firing, ({ length }) => length > 0)
  admin = await openAlerts(ADMIN)
})
afterAll(async () => {
  await browser?.close()
  receiver?.server.close()
})

const ask = async (path: string): Promise<unknown> => (await fetch(`${septet.url}${path}`, { headers })).json()
const firing = async () => OPERATIONS.alertsList.output.parse(await ask('/api/v1/alerts?cluster=demo')).firing

type Received = { readonly headers: IncomingHttpHeaders; readonly body: string }
type Receiver = { readonly server: Server; readonly url: string; readonly received: Received[] }

/** A webhook's receiver that keeps what it was sent. */
async function openReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.')
  return { server, url: `http://127.0.0.1:${address.port}/hook`, received }
}

async function openAlerts(account: typeof ADMIN): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await signInByForm(page, septet.url, { next: '/dashboard/alerts', account })
  await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor()
  return page
}

/** The first alert that fires and carries no mark. */
async function firstUnmarked(): Promise<string> {
  const found = (await firing()).find(({ acknowledgement, silence }) => acknowledgement === null && silence === null)
  return found?.title ?? ''
}

describe('an alert that fires', () => {
  test('is acknowledged by keyboard, with a reason, and taken back', async () => {
    const title = await firstUnmarked()
    const acknowledge = admin.getByRole('button', { name: `Acknowledge ${title}`, exact: true })
    await acknowledge.focus()
    await admin.keyboard.press('Enter')
    await admin.keyboard.type('Its team knows')
    await admin.keyboard.press('Enter')
    const takeBack = admin.getByRole('button', { name: `Unacknowledge ${title}`, exact: true })
    await takeBack.waitFor()
    const marked = (await firing()).find((alert) => alert.title === title)
    expect(marked?.acknowledgement).toMatchObject({ by: ADMIN.email, reason: 'Its team knows' })
    await takeBack.focus()
    await admin.keyboard.press('Enter')
    await acknowledge.waitFor()
  })

  test('is silenced by keyboard for as long as was chosen, and the silence ends', async () => {
    const title = await firstUnmarked()
    const silence = admin.getByRole('button', { name: `Silence ${title}`, exact: true })
    await silence.focus()
    await admin.keyboard.press('Enter')
    await admin.keyboard.type('Maintenance until noon')
    await admin.keyboard.press('Tab')
    await admin.keyboard.type('1 hour')
    await admin.keyboard.press('Tab')
    await admin.keyboard.press('Enter')
    const end = admin.getByRole('button', { name: `End silence of ${title}`, exact: true })
    await end.waitFor()
    const mark = (await firing()).find((alert) => alert.title === title)?.silence
    expect(mark).toMatchObject({ by: ADMIN.email, reason: 'Maintenance until noon' })
    expect(Date.parse(mark?.until ?? '') - Date.parse(mark?.at ?? '')).toBe(3_600_000)
    await end.focus()
    await admin.keyboard.press('Enter')
    await silence.waitFor()
  })

  test('leaves focus where it came from when its form is cancelled by Escape', async () => {
    const acknowledge = admin.getByRole('button', { name: `Acknowledge ${await firstUnmarked()}`, exact: true })
    await acknowledge.focus()
    await admin.keyboard.press('Enter')
    await admin.getByLabel('Reason').waitFor()
    await admin.keyboard.press('Escape')
    await admin.getByLabel('Reason').waitFor({ state: 'detached' })
    await acknowledge.waitFor()
    await expect.poll(() => acknowledge.evaluate((button) => button === document.activeElement)).toBe(true)
  })

  test('says to a viewer why there is nothing to press', async () => {
    const page = await openAlerts(VIEWER)
    await page.getByText('Only operators and admins can acknowledge or silence alerts.').waitFor()
    expect(await page.getByRole('button', { name: /^(?:Acknowledge|Silence) /u }).count()).toBe(0)
    await page.goto(`${septet.url}/dashboard/settings/notifications`)
    await page.getByText('Only admins see channels and the delivery log', { exact: false }).waitFor()
    expect(await page.getByRole('button', { name: 'Add the channel' }).count()).toBe(0)
    await page.context().close()
  })
})

describe('somebody is told', () => {
  let secret = ''

  test('by a webhook whose signing secret is shown once', async () => {
    await admin.goto(`${septet.url}/dashboard/settings/notifications`)
    const form = admin.getByRole('form', { name: 'Add a channel' })
    await form.getByLabel('Kind').selectOption('webhook')
    await form.getByLabel('Name').fill('on-call')
    await form.getByLabel('Webhook address').fill(receiver.url)
    await admin.keyboard.press('Enter')
    const shown = admin.getByRole('region', { name: 'The signing secret of on-call' })
    secret = (await shown.getByText(/^whsec_/u).textContent()) ?? ''
    await shown.getByRole('button', { name: 'I saved it' }).click()
    await admin.reload()
    await admin.getByRole('cell', { name: 'on-call', exact: true }).waitFor()
    expect(await admin.getByText(secret).count()).toBe(0)
  })

  test('a test arrives signed with it, and stands in the log', async () => {
    await admin.getByRole('button', { name: 'Send a test to on-call' }).focus()
    await admin.keyboard.press('Enter')
    const [message] = await eventually(
      async () => receiver.received,
      ({ length }) => length > 0,
    )
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = message?.headers ?? {}
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    const expected = createHmac('sha256', key)
      .update(`${String(id)}.${String(at)}.${message?.body ?? ''}`)
      .digest('base64')
    expect(signature).toBe(`v1,${expected}`)
    expect(message?.body).toContain('Septet can reach this channel')
    const entry = admin.getByRole('listitem').filter({ hasText: 'Septet can reach this channel' }).first()
    await entry.getByText('delivered', { exact: true }).first().waitFor()
    await entry.locator('summary').focus()
    await admin.keyboard.press('Enter')
    await entry.getByText('204', { exact: true }).waitFor()
    await expect.poll(() => entry.textContent()).toContain(String(id))
  })

  test('by the rule that names it, from its threshold on', async () => {
    const rule = admin.getByRole('listitem').filter({ hasText: 'Pending with free slices' })
    await rule.locator('summary').focus()
    await admin.keyboard.press('Enter')
    const form = admin.getByRole('form', { name: 'Rule Pending with free slices' })
    await form.getByLabel('Threshold, minutes').fill('20')
    await form.getByLabel('on-call').focus()
    await admin.keyboard.press('Space')
    await form.getByRole('button', { name: 'Save rule' }).focus()
    await admin.keyboard.press('Enter')
    await admin.getByText('from 20 minutes', { exact: false }).first().waitFor()
    const { rules } = OPERATIONS.alertRulesGet.output.parse(await ask('/api/v1/alert-rules'))
    expect(rules['pending-with-free']).toMatchObject({ threshold: 20, channels: ['on-call'] })
    // Where it does not come, what waits and how the judging goes tell why.
    await eventually(
      async () => ({
        received: receiver.received.map(({ body }) => body),
        waiting: await ask('/api/v1/deliveries'),
        loops: OPERATIONS.statusGet.output
          .parse(await ask('/api/v1/status'))
          .lines.filter(({ name }) => ['alerts', 'notifications'].includes(name)),
      }),
      ({ received }) => received.some((body) => body.includes('pending-with-free')),
    )
  })

  test('by all rules at once, when the channel is sent them', async () => {
    const button = admin.getByRole('button', { name: 'Send all rules to on-call' })
    await button.focus()
    await admin.keyboard.press('Enter')
    await button.waitFor({ state: 'detached' })
    const { rules } = OPERATIONS.alertRulesGet.output.parse(await ask('/api/v1/alert-rules'))
    expect(Object.values(rules).map(({ channels }) => channels)).toEqual(Object.values(rules).map(() => ['on-call']))
    // What was set of a rule stays.
    expect(rules['pending-with-free'].threshold).toBe(20)
  })
})
