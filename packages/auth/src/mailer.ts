import { errorText } from '@septet/domain/words'
import { randomUUID } from 'node:crypto'
import { setImmediate, setTimeout } from 'node:timers/promises'

import { HOUR_MS, instant, type CodeKind, type Instant, type Log, type Mail, type MailStore } from '@septet/domain'

import type { AuthConfig } from './auth-config.ts'
import { openMailPace, type MailBudget } from './mail-pace.ts'

/** One letter to one address. */
export type Letter = {
  readonly kind: Mail['kind']
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** What is attached. It is not kept in the outbox. */
  readonly files?: readonly { readonly name: string; readonly type: string; readonly content: Buffer | string }[]
}

/** Takes letters to people: by SMTP, or into the outbox where no mail server is set. */
export type Mailer = {
  /**
   * Asks for one letter of a kind to an address, before it is known whether there is anybody to write to. Throws 429
   * `over_email_send_rate_limit` when one was asked for within the last minute, or the hour's letters are used up.
   */
  claim(kind: CodeKind, address: string): void
  /**
   * Gives `sent`, `kept here: …` or `not sent: …`. Never fails: a letter that could not be sent says so in the outbox and in
   * the log as well.
   */
  send(letter: Letter): Promise<string>
  /** Runs work after the answer has gone out, so that the time an answer takes does not tell what was done. */
  later(work: () => Promise<void>): void
  /** Waits for what is under way. */
  close(): Promise<void>
}

export type MailerNeeds = MailBudget & {
  readonly smtp: AuthConfig['smtp']
  readonly mails: MailStore
  readonly log: Log
  readonly now: () => Instant
}

/** A mailer. Without `smtp`, letters stay in the outbox with their codes, for an admin to hand on. */
export function openMailer({ smtp, mails, log, now, ...budget }: MailerNeeds): Mailer {
  const pace = openMailPace(now, budget)
  const carrier = smtp === undefined ? undefined : openCarrier(smtp)
  const running = new Set<Promise<void>>()
  const forgetOld = async (): Promise<void> => void (await mails.prune(instant(now() - KEPT)))
  const complain = (error: unknown): void =>
    log.error('an email could not be stored or removed', { because: String(error) })
  const sweeping = setInterval(() => void forgetOld().catch(complain), HOUR_MS)
  sweeping.unref()

  const deliver = async (letter: Letter): Promise<Pick<Mail, 'outcome' | 'text'>> => {
    if (!pace.count(letter.kind, letter.to))
      return { outcome: 'not sent: the letters of this hour are used up', text: NOT_KEPT }
    if (carrier === undefined) return { outcome: 'kept here: no mail server is set', text: letter.text }
    return {
      outcome: await carrier.send(letter).catch((error: unknown) => `not sent: ${reasonOf(error)}`),
      text: NOT_KEPT,
    }
  }
  const send = async (letter: Letter): Promise<string> => {
    const { outcome, text } = await deliver(letter)
    const { kind, to, subject } = letter
    if (outcome.startsWith('not sent')) log.warn('an email was not sent', { kind, to, subject, outcome })
    else
      log.info(carrier === undefined ? 'an email waits in the outbox' : 'an email was sent', {
        kind,
        to,
        subject,
        text,
      })
    await mails.add({ id: randomUUID(), at: now(), to, kind, subject, text, outcome })
    await forgetOld()
    return outcome
  }
  return {
    claim: (kind, address) => pace.claim(kind, address),
    send: (letter) =>
      send(letter).catch((error: unknown) => {
        complain(error)
        return 'not sent: it could not be kept'
      }),
    later(work) {
      const done = setImmediate()
        .then(work)
        .catch((error: unknown) => log.error('mail work failed', { because: String(error) }))
      running.add(done)
      void done.finally(() => running.delete(done))
    },
    async close() {
      clearInterval(sweeping)
      const patience = new AbortController()
      const givenUp = setTimeout(LONGEST_CLOSE, undefined, { signal: patience.signal }).catch(() => {})
      await Promise.race([settled(running), givenUp])
      patience.abort()
      carrier?.close()
    },
  }
}

/** Work that is under way may put off more. */
async function settled(running: ReadonlySet<Promise<void>>): Promise<void> {
  while (running.size > 0) await Promise.all(running)
}

/** A mail server that does not answer must not hold up the end of the process for longer, milliseconds. */
const LONGEST_CLOSE = 5000
/** Seven days. */
const KEPT = 7 * 24 * HOUR_MS
/** A letter holds a working code: once it is on its way, nobody else needs to read it. */
const NOT_KEPT = '(The text is not kept.)'

type Carrier = { send(letter: Letter): Promise<string>; close(): void }

/** One pool of connections. The waits bound how long a dead mail server is hoped for, milliseconds. */
function openCarrier({ url, from }: { readonly url: string; readonly from: string }): Carrier {
  // Loaded with the first letter: most servers send none.
  let transport: ReturnType<typeof openTransport> | undefined
  const opened = () => (transport ??= openTransport(url))
  return {
    async send({ to, subject, text, html, files = [] }) {
      // The address as an object: it was checked before, and is not to be read again as a list of addresses.
      const attachments = files.map(({ name, type, content }) => ({ filename: name, contentType: type, content }))
      const letter = { from, to: { name: '', address: to }, subject, text, html, attachments }
      await (await opened()).sendMail({ ...letter, headers: AUTOMATIC })
      return 'sent'
    },
    close: () => void transport?.then((open) => open.close()).catch(() => undefined),
  }
}

async function openTransport(url: string) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** So that absence notes are not sent back (RFC 3834, section 5). */
const AUTOMATIC = { 'auto-submitted': 'auto-generated' } as const

/** One line, and short: mail servers answer at length. */
const reasonOf = (error: unknown): string => errorText(error).replaceAll(/\s+/gu, ' ').slice(0, 300)
