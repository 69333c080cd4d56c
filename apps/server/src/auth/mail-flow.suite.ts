import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { instant, type CodeKind, type Log, type Mail } from '@septet/domain'
import { openMemoryStore } from '@septet/storage'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { onTestFinished, vi } from 'vitest'

import type { AuthConfig } from './auth-config.ts'
import { openAuth, type Auth } from './auth-service.ts'

/** A letter of the outbox, taken apart. */
export type ReadLetter = Mail & { readonly code: string; readonly link: URL | undefined }

/** The auth service on a real port over a store in memory, with a clock that can be moved. */
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
  ask(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    rest?: Pick<InjectOptions, 'payload' | 'headers' | 'remoteAddress'>,
  ): Promise<Answer>
  /** A signed-out supabase-js client with a memory of its own. */
  client(flowType?: 'implicit' | 'pkce'): SupabaseClient
  /** Actions of the audit log, oldest first, as `action outcome`. */
  audited(): Promise<readonly string[]>
  readonly logged: readonly string[]
}
export type Answer = {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly location: URL | undefined
}

export const PASSWORD = 'correct horse battery staple'
export const ADMIN = 'admin@example.com'

/** Opens one for the test that runs, and closes it after. */
export async function openMailBench(config: Partial<AuthConfig> = {}): Promise<MailBench> {
  const dataDir = await mkdtemp(join(tmpdir(), 'septet-mail-'))
  let ahead = 0
  const now = () => instant(Date.now() + ahead)
  const store = openMemoryStore()
  const logged: string[] = []
  const server = fastify({ forceCloseConnections: true })
  const auth = await openAuth({
    config: { ...CONFIG, ...config },
    store,
    dataDir,
    now,
    log: logInto(logged),
    siteUrl: () => url,
  })
  auth.register(server)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    await server.close()
    await auth.close()
    await rm(dataDir, { recursive: true })
  })
  const letters = async () => {
    await auth.context.mailer.close()
    return store.access.mails.list(100)
  }
  return {
    auth,
    server,
    url,
    logged,
    letters,
    advance: (milliseconds) => void (ahead += milliseconds),
    letter: (to, kind) =>
      vi.waitFor(async () => {
        const found = (await letters()).find((mail) => mail.to === to && mail.kind === kind)
        if (found === undefined) throw new Error(`no letter ${kind} to ${to}`)
        return readLetter(found)
      }),
    async ask(method, path, rest = {}) {
      const answer = await server.inject({
        method,
        url: `/auth/v1${path}`,
        ...rest,
        headers: { ...VERSION, ...rest.headers },
      })
      const { location } = answer.headers
      return {
        status: answer.statusCode,
        body: answer.body === '' ? {} : answer.json(),
        location: typeof location === 'string' ? new URL(location) : undefined,
      }
    },
    client: (flowType = 'implicit') =>
      createClient(url, 'sb_publishable_test', {
        auth: { flowType, autoRefreshToken: false, detectSessionInUrl: false, persistSession: true, storage: memory() },
      }),
    async audited() {
      const entries = await store.access.audit.list({ limit: 100 })
      return entries.map(({ action, outcome }) => `${action} ${outcome}`).toReversed()
    },
  }
}

const CONFIG: AuthConfig = {
  mode: { kind: 'embedded' },
  authorized: { admin: ADMIN, others: ['*@example.com'], anyone: false },
  setupSecret: undefined,
  masterSecret: 'a master secret for tests, long enough',
  publicUrl: undefined,
  confirmEmail: false,
  smtp: undefined,
  trustedProxies: [],
  publicDemo: true,
}
const VERSION = { 'x-supabase-api-version': '2024-01-01' }

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

const logInto = (lines: string[]): Log => {
  const line = (message: string, fields?: object) => void lines.push(`${message} ${JSON.stringify(fields ?? {})}`)
  return { info: line, warn: line, error: line }
}
