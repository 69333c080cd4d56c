import type { CodeKind, Mail, Store } from '@septet/domain'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { FastifyInstance } from 'fastify'
import { onTestFinished, vi } from 'vitest'

import type { AuthConfig } from './auth-config.ts'
import type { Auth } from './auth-service.ts'
import { openTestAuth, type Asked } from './open-test-auth.fixture.ts'

/** A letter of the outbox, taken apart. */
type ReadLetter = Mail & { readonly code: string; readonly link: URL | undefined }

/** The auth service on a real port over an empty store, with a clock that can be moved. */
export type MailBench = {
  readonly auth: Auth
  readonly server: FastifyInstance
  readonly url: string
  /** Moves the clock of the service. */
  advance(milliseconds: number): void
  /** The newest letter of a kind to an address; waits until it is there. */
  letter(to: string, kind: CodeKind): Promise<ReadLetter>
  /** All letters, newest first, once those under way have arrived. */
  letters(): Promise<readonly Mail[]>
  /** Asks without a network. */
  ask(method: 'GET' | 'POST' | 'PUT', path: string, asked?: Asked): Promise<Answer>
  /** Presses the button of the page that a letter's link leads to. */
  press(link: URL | undefined): Promise<Answer>
  /** A signed-out supabase-js client with a memory of its own. */
  client(): SupabaseClient
  /** Actions of the audit log, oldest first, as `action outcome`. */
  audited(): Promise<readonly string[]>
}
type Answer = {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly location: URL | undefined
}

export const ADMIN = 'admin@example.com'

/** Opens one for the test that runs, and closes it after. */
export async function openMailBench(
  config: Partial<AuthConfig> = {},
  needs: { readonly store?: Store } = {},
): Promise<MailBench> {
  const authorized = { admin: ADMIN, others: ['*@example.com'], anyone: false }
  const test = await openTestAuth({ authorized, ...config }, needs)
  const url = await test.listen()
  onTestFinished(() => test.close())
  const letters = async (): Promise<readonly Mail[]> => {
    await test.auth.context.mailer.close()
    return test.store.access.mails.list(100)
  }
  const ask: MailBench['ask'] = async (method, path, asked = {}) => {
    const { status, body, headers } = await test.ask(method, path, asked)
    const { location } = headers
    return { status, body, location: typeof location === 'string' ? new URL(location) : undefined }
  }
  return {
    auth: test.auth,
    server: test.server,
    url,
    letters,
    advance: (milliseconds) => test.pass(milliseconds),
    letter: (to, kind) =>
      vi.waitFor(async () => {
        const found = (await letters()).find((mail) => mail.to === to && mail.kind === kind)
        if (found === undefined) throw new Error(`no letter ${kind} to ${to}`)
        return readLetter(found)
      }, 60_000),
    ask,
    press: (link) =>
      ask('POST', '/verify', {
        body: { token_hash: link?.searchParams.get('token_hash'), type: link?.searchParams.get('type') },
      }),
    client: () =>
      createClient(url, 'sb_publishable_test', {
        auth: { autoRefreshToken: false, detectSessionInUrl: false, persistSession: true, storage: memory() },
      }),
    audited: async () => (await test.audited()).map(({ action, outcome }) => `${action} ${outcome}`).toReversed(),
  }
}

function readLetter(mail: Mail): ReadLetter {
  const [code = ''] = /^ {4}\d{6}$/mu.exec(mail.text) ?? []
  const [link] = /^https?:\S+$/mu.exec(mail.text) ?? []
  return { ...mail, code: code.trim(), link: link === undefined ? undefined : new URL(link) }
}

function memory(): {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
} {
  const kept = new Map<string, string>()
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
}
