import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { instant, type AuditEntry, type Store } from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import { createClient } from '@supabase/supabase-js'
import fastify, { type FastifyInstance } from 'fastify'

import type { AuthConfig, RateLimits } from './auth-config.ts'
import { openAuth, type Auth } from './auth-service.ts'

export const OWNER = 'owner@example.com'
export const PASSWORD = 'brisk walnut ferry lantern'

/** What the settings say where nothing is set. */
export const LIMITS: RateLimits = {
  requests: {},
  letters: { hourly: 30, reserved: 30, perAddress: 15, perRecipient: 10 },
}

const CONFIG: AuthConfig = {
  mode: { kind: 'embedded' },
  authorized: { admin: OWNER, others: ['second@example.com', '*@team.example'], anyone: false },
  setupSecret: undefined,
  masterSecret: 'a master secret of the tests, long enough',
  masterSecretBefore: undefined,
  publicUrl: undefined,
  confirmEmail: false,
  smtp: undefined,
  trustedProxies: [],
  publicDemo: true,
  mcpIssuer: undefined,
  sso: undefined,
  serviceAccounts: [],
  limits: LIMITS,
}

export type TestAuth = Awaited<ReturnType<typeof openTestAuth>>

/** The auth service over a store of its own or a given one, with a clock that only moves when told; ask it without a socket. */
export async function openTestAuth(
  changes: Partial<AuthConfig> = {},
  { store: given, fetch: fetchKeys }: { store?: Store; fetch?: typeof fetch } = {},
) {
  const store = given ?? (await openTestStore())
  const dataDir = mkdtempSync(join(tmpdir(), 'septet-auth-'))
  const clock = { at: instant(Date.now()), siteUrl: 'http://septet.test' }
  const logged: { message: string; fields: object | undefined }[] = []
  const write = (message: string, fields?: object): void => void logged.push({ message, fields })
  const auth: Auth = await openAuth({
    config: { ...CONFIG, ...changes },
    store,
    dataDir,
    now: () => clock.at,
    log: { info: () => {}, warn: write, error: write },
    siteUrl: () => clock.siteUrl,
    // What a hash takes in production is most of the work of a test.
    hashCost: { memoryCost: 64, timeCost: 1 },
    ...(fetchKeys === undefined ? {} : { fetch: fetchKeys }),
  })
  const server = fastify({ logger: false, bodyLimit: 1024, trustProxy: true, forceCloseConnections: true })
  auth.register(server)
  return {
    auth,
    store,
    server,
    clock,
    logged,
    pass: (ms: number) => void (clock.at = instant(clock.at + ms)),
    ask: (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, more: Asked = {}) =>
      ask(server, { method, path, ...more }),
    audited: async (): Promise<readonly AuditEntry[]> => store.access.audit.list({ limit: 1000 }),
    /** Listens, and gives the address. */
    async listen(): Promise<string> {
      clock.siteUrl = await server.listen({ host: '127.0.0.1', port: 0 })
      return clock.siteUrl
    },
    async close(): Promise<void> {
      await server.close()
      await auth.close()
      if (given === undefined) await store.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}

export type Asked = {
  body?: unknown
  token?: string | undefined
  ip?: string
  headers?: Record<string, string>
}

async function ask(
  server: FastifyInstance,
  {
    method,
    path,
    body,
    token,
    ip = '192.0.2.1',
    headers = {},
  }: Asked & { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string },
) {
  const answer = await server.inject({
    method,
    url: `/auth/v1${path}`,
    headers: {
      'x-supabase-api-version': '2024-01-01',
      'x-forwarded-for': ip,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.body,
    // oxlint-disable-next-line typescript/no-explicit-any -- bodies are looked at as they come
    body: (answer.body.startsWith('{') ? JSON.parse(answer.body) : {}) as Record<string, any>,
  }
}

/** A client as pages use it, that keeps nothing. */
export const clientOf = (url: string, key = 'sb_publishable_septet') =>
  createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  })
