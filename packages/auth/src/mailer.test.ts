import { createServer, type AddressInfo, type Socket } from 'node:net'

import { instant, type Mail } from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'

import { AuthProblem } from './auth-problem.ts'
import { openMailer, type Letter, type MailerNeeds } from './mailer.ts'

const LETTER: Letter = {
  kind: 'recovery',
  to: 'a@example.com',
  subject: 'Choose a new password',
  text: 'Your code is 012345.\n',
  html: '<p>Your code is 012345.</p>',
}
const FROM = 'Septet <septet@example.com>'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type Smtp = {
  readonly url: string
  readonly received: { from: string; to: string[]; data: string }[]
  connections: number
}

/** As much of a mail server (RFC 5321) as a letter needs. `answer` replaces what it says to a command. */
async function openSmtp(answer: (command: string) => string | undefined = () => undefined): Promise<Smtp> {
  const sockets = new Set<Socket>()
  const state: Smtp = { url: '', received: [], connections: 0 }
  const server = createServer((socket) => {
    state.connections++
    sockets.add(socket)
    let rest = ''
    let data: string[] | undefined
    let letter = { from: '', to: [] as string[], data: '' }
    socket.setEncoding('utf8').write('220 test ESMTP\r\n')
    const take = (line: string): string | undefined => {
      if (data !== undefined) {
        if (line !== '.') return void data.push(line.startsWith('..') ? line.slice(1) : line)
        state.received.push({ ...letter, data: data.join('\n') })
        letter = { from: '', to: [], data: '' }
        data = undefined
        return '250 taken'
      }
      const own = answer(line)
      if (own !== undefined) return own
      if (/^EHLO/iu.test(line)) return '250 test'
      if (/^MAIL FROM:/iu.test(line)) letter.from = line.slice(10)
      if (/^RCPT TO:/iu.test(line)) letter.to.push(line.slice(8))
      if (/^QUIT/iu.test(line)) return '221 bye'
      if (!/^DATA/iu.test(line)) return '250 ok'
      data = []
      return '354 go on'
    }
    socket.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const said = take(line)
        if (said !== undefined) socket.write(`${said}\r\n`)
      }
    })
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => void server.close(resolve))
  })
  return Object.assign(state, { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

async function open(needs: Partial<MailerNeeds> = {}) {
  let at = Date.parse('2026-01-02T03:04:05Z')
  const lines: string[] = []
  const line = (message: string, fields?: object) => void lines.push(`${message} ${JSON.stringify(fields ?? {})}`)
  const { mails } = (await openTestStore()).access
  let sweeps = 0
  const prune: typeof mails.prune = (before) => mails.prune(before).finally(() => (sweeps += 1))
  const mailer = openMailer({
    smtp: undefined,
    mails: { ...mails, prune },
    log: { info: line, warn: line, error: line },
    now: () => instant(at),
    hourly: 30,
    ...needs,
  })
  closing.push(() => mailer.close())
  const outbox = (): Promise<readonly Mail[]> => mails.list(100)
  return { mailer, outbox, lines, sweeps: () => sweeps, advance: (milliseconds: number) => void (at += milliseconds) }
}

describe('without a mail server', () => {
  test('a letter waits in the outbox and stands in the log', async () => {
    const { mailer, outbox, lines } = await open()
    await mailer.send(LETTER)
    expect(await outbox()).toMatchObject([
      { to: 'a@example.com', kind: 'recovery', text: LETTER.text, outcome: 'kept here: no mail server is set' },
    ])
    expect(lines).toEqual([expect.stringContaining('012345')])
  })
  test('for seven days', async () => {
    const { mailer, outbox, advance } = await open()
    await mailer.send(LETTER)
    advance(7 * 86_400_000 + 1)
    await mailer.send({ ...LETTER, to: 'b@example.com' })
    expect((await outbox()).map(({ to }) => to)).toEqual(['b@example.com'])
  })
  test('also when no other is written', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { mailer, outbox, sweeps, advance } = await open()
    await mailer.send(LETTER)
    const before = sweeps()
    await vi.advanceTimersByTimeAsync(3_600_000)
    await expect.poll(sweeps).toBe(before + 1)
    expect(await outbox()).toHaveLength(1)
    advance(7 * 86_400_000 + 1)
    await vi.advanceTimersByTimeAsync(3_600_000)
    await expect.poll(sweeps).toBe(before + 2)
    expect(await outbox()).toEqual([])
  })
})

describe('with a mail server', () => {
  test('a letter takes its files along, which the outbox does not keep', async () => {
    const smtp = await openSmtp()
    const { mailer, outbox } = await open({ smtp: { url: smtp.url, from: FROM } })
    const file = { name: 'report.csv', type: 'text/csv', content: 'a,b\r\n' }
    expect(await mailer.send({ ...LETTER, kind: 'report', files: [file] })).toBe('sent')
    expect(smtp.received[0]?.data).toContain('filename=report.csv')
    expect(smtp.received[0]?.data).toContain(Buffer.from(file.content).toString('base64'))
    expect(JSON.stringify(await outbox())).not.toContain('a,b')
  })
  test('a letter arrives, in both forms', async () => {
    const smtp = await openSmtp()
    const { mailer, outbox, lines } = await open({ smtp: { url: smtp.url, from: FROM } })
    await mailer.send(LETTER)
    const [received] = smtp.received
    expect(received).toMatchObject({ from: '<septet@example.com>', to: ['<a@example.com>'] })
    expect(received?.data).toContain('From: Septet <septet@example.com>')
    expect(received?.data).toContain('To: a@example.com')
    expect(received?.data).toContain('Subject: Choose a new password')
    expect(received?.data).toContain('Auto-Submitted: auto-generated')
    expect(received?.data).toContain('\nYour code is 012345.\n')
    expect(received?.data).toContain('<p>Your code is 012345.</p>')
    expect(await outbox()).toMatchObject([{ outcome: 'sent' }])
    expect(JSON.stringify([await outbox(), lines])).not.toContain('012345')
  })
  test('letters share connections', async () => {
    const smtp = await openSmtp()
    const { mailer } = await open({ smtp: { url: smtp.url, from: FROM } })
    for (let count = 0; count < 5; count++) await mailer.send(LETTER)
    expect([smtp.received.length, smtp.connections]).toEqual([5, 1])
  })
  test('an address cannot bring others along', async () => {
    const smtp = await openSmtp()
    const { mailer } = await open({ smtp: { url: smtp.url, from: FROM } })
    await mailer.send({ ...LETTER, to: 'a@example.com\r\nBcc: b@example.com', subject: 'x\r\nBcc: c@example.com' })
    await mailer.send({ ...LETTER, to: 'a@example.com, b@example.com' })
    expect(smtp.received.flatMap(({ to }) => to).filter((to) => /<[bc]@/u.test(to))).toEqual([])
    expect(smtp.received.some(({ data }) => /^bcc:/imu.test(data))).toBe(false)
  })
  test.each([
    [
      'refuses the reader',
      (line: string) => (line.startsWith('RCPT') ? '550 no such mailbox' : undefined),
      /no such mailbox/u,
    ],
    ['is busy', (line: string) => (line.startsWith('MAIL') ? '451 try later' : undefined), /try later/u],
  ])('that %s: the outbox and the log tell why, and nothing fails', async (_what, answer, because) => {
    const smtp = await openSmtp(answer)
    const { mailer, outbox, lines } = await open({ smtp: { url: smtp.url, from: FROM } })
    await mailer.send(LETTER)
    const [mail] = await outbox()
    expect(mail?.outcome).toMatch(/^not sent: /u)
    expect(mail?.outcome).toMatch(because)
    expect(lines).toEqual([expect.stringMatching(/^an email was not sent/u)])
    expect(JSON.stringify([mail, lines])).not.toContain('012345')
  })
  test('that is not there', async () => {
    const { mailer, outbox } = await open({ smtp: { url: 'smtp://user:secret@127.0.0.1:1', from: FROM } })
    await mailer.send(LETTER)
    const [mail] = await outbox()
    expect(mail?.outcome).toMatch(/^not sent: .*ECONNREFUSED/u)
    expect(mail?.outcome).not.toContain('secret')
  })
})

const refusal = (ask: () => void): unknown => {
  try {
    ask()
    return undefined
  } catch (error) {
    return error instanceof AuthProblem ? [error.status, error.code, error.retryAfter] : error
  }
}

describe('the pace', () => {
  test('one claim of a kind per address and minute', async () => {
    const { mailer, advance } = await open()
    expect(refusal(() => mailer.claim('recovery', 'a@example.com'))).toBeUndefined()
    advance(20_000)
    expect(refusal(() => mailer.claim('recovery', 'a@example.com'))).toEqual([429, 'over_email_send_rate_limit', 40])
    expect(refusal(() => mailer.claim('magiclink', 'a@example.com'))).toBeUndefined()
    expect(refusal(() => mailer.claim('recovery', 'b@example.com'))).toBeUndefined()
    advance(40_000)
    expect(refusal(() => mailer.claim('recovery', 'a@example.com'))).toBeUndefined()
  })
  test('letters an hour that anyone can cause, counted as they go out', async () => {
    const { mailer, outbox, advance } = await open({ hourly: 2, owner: 'owner@example.com' })
    const link: Letter = { ...LETTER, kind: 'magiclink' }
    await mailer.send(link)
    advance(600_000)
    await mailer.send(link)
    expect(refusal(() => mailer.claim('signup', 'a@example.com'))).toEqual([429, 'over_email_send_rate_limit', 3000])
    await mailer.send(link)
    expect((await outbox()).filter(({ outcome }) => outcome.startsWith('not sent'))).toHaveLength(1)
    for (const kind of ['recovery', 'invite'] as const) {
      expect(refusal(() => mailer.claim(kind, 'a@example.com'))).toBeUndefined()
    }
    expect(refusal(() => mailer.claim('signup', 'owner@example.com'))).toBeUndefined()
    advance(3_000_000)
    expect(refusal(() => mailer.claim('signup', 'a@example.com'))).toBeUndefined()
  })
  test('strangers cannot make it remember without end, nor forget a claim of this minute before the oldest', async () => {
    const { mailer } = await open()
    for (let count = 0; count < 19_999; count++) mailer.claim('recovery', `${count}@example.com`)
    mailer.claim('recovery', 'a@example.com')
    mailer.claim('recovery', 'b@example.com')
    expect(refusal(() => mailer.claim('recovery', 'a@example.com'))).toBeInstanceOf(Array)
    expect(refusal(() => mailer.claim('recovery', '0@example.com'))).toBeUndefined()
  })
})

test('work that is put off is waited for at the end, and its failure is told in the log', async () => {
  const { mailer, lines } = await open()
  let done = false
  mailer.later(async () => {
    await new Promise((resolve) => void setTimeout(resolve, 20))
    mailer.later(async () => {
      done = true
      throw new Error('no luck')
    })
  })
  expect(done).toBe(false)
  await mailer.close()
  expect(done).toBe(true)
  expect(lines).toEqual([expect.stringContaining('no luck')])
})
