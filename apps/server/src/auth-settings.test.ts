import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { describe, expect, test } from 'vitest'

import { REQUEST_LIMITS } from '@septet/auth'
import { readConfig } from './config.ts'

const read = (environment: Record<string, string>) => readConfig(environment, '/srv').auth
const ISSUER = { SEPTET_MCP_ISSUER: 'https://sso.example.com/realm/' }
const HOSTED = { SEPTET_SUPABASE_URL: 'https://project.supabase.co', SEPTET_SUPABASE_ANON_KEY: 'sb_publishable_1' }
const PUBLIC = { SEPTET_HOST: '0.0.0.0', SEPTET_AUTHORIZED_EMAIL: 'ops@example.com' }
const BEHIND_PROXY = { SEPTET_HOST: '127.0.0.1', SEPTET_PUBLIC_URL: 'https://septet.example.com' }
const SETUP = { SEPTET_SETUP_SECRET: 'sixteen-letters!' }

describe('settings of the sign-in', () => {
  test('the first address is the admin, the others follow; spaces and case do not matter', () => {
    const { authorized } = read({ SEPTET_AUTHORIZED_EMAIL: ' Ops@Example.com , b@y.org,*@z.com, * ' })
    expect(authorized).toEqual({ admin: 'ops@example.com', others: ['b@y.org', '*@z.com'], anyone: true })
  })

  test.each([
    ['*', 'begins with "*"'],
    ['*@example.com', 'begins with "*@example.com"'],
    ['admin', 'begins with "admin"'],
    [',', 'begins with ""'],
    ['a@example.com, b', 'holds "b"'],
    ['a@example.com, *@*', 'holds "*@*"'],
    ['a@example.com, b@example.com c@example.com', 'holds "b@example.com c@example.com"'],
  ])('the addresses "%s" are refused', (list, words) => {
    expect(() => read({ SEPTET_AUTHORIZED_EMAIL: list })).toThrow(words)
  })

  test('everything that is set arrives, addresses without their last slash', () => {
    const auth = read({
      SEPTET_PUBLIC_URL: 'https://septet.example.com/',
      SEPTET_AUTHORIZED_EMAIL: 'ops@example.com',
      SEPTET_SETUP_SECRET: 'sixteen-letters!',
      SEPTET_SECRET: 'x'.repeat(32),
      SEPTET_CONFIRM_EMAIL: 'on',
      SEPTET_SMTP_URL: 'smtps://septet:hunter2@mail.example.com',
      SEPTET_TRUSTED_PROXIES: '10.0.0.0/8, ::1, loopback',
      SEPTET_PUBLIC_DEMO: 'off',
    })
    expect(auth).toEqual({
      mode: { kind: 'embedded' },
      authorized: { admin: 'ops@example.com', others: [], anyone: false },
      setupSecret: 'sixteen-letters!',
      masterSecret: 'x'.repeat(32),
      publicUrl: 'https://septet.example.com',
      confirmEmail: true,
      smtp: { url: 'smtps://septet:hunter2@mail.example.com', from: 'Septet <septet@septet.example.com>' },
      trustedProxies: ['10.0.0.0/8', '::1', 'loopback'],
      serviceAccounts: [],
      publicDemo: false,
      mcpIssuer: undefined,
      sso: undefined,
      limits: read({}).limits,
    })
    expect(read({ ...HOSTED, SEPTET_SUPABASE_JWT_SECRET: 'shared' }).mode).toEqual({
      kind: 'hosted',
      url: 'https://project.supabase.co',
      anonKey: 'sb_publishable_1',
      jwtSecret: 'shared',
    })
  })

  test.each([
    ['an address with a path', { SEPTET_PUBLIC_URL: 'https://example.com/septet' }, 'without a path'],
    ['another protocol', { SEPTET_PUBLIC_URL: 'ftp://example.com' }, 'an http:// or https:// address'],
    ['a short setup secret', { SEPTET_SETUP_SECRET: 'short' }, 'SEPTET_SETUP_SECRET must be 16 characters or more'],
    ['a short secret', { SEPTET_SECRET: 'short' }, 'SEPTET_SECRET must be 32 characters or more'],
    ['neither on nor off', { SEPTET_PUBLIC_DEMO: 'yes' }, 'SEPTET_PUBLIC_DEMO is "yes" but must be on or off'],
    ['a mail server without an address for links', { SEPTET_SMTP_URL: 'smtp://mail' }, 'without SEPTET_PUBLIC_URL'],
    ['a sender without a server', { SEPTET_MAIL_FROM: 'a@b.example' }, 'without SEPTET_SMTP_URL'],
    ['a project without its key', { SEPTET_SUPABASE_URL: 'https://a.example' }, 'without SEPTET_SUPABASE_ANON_KEY'],
    ['a key without its project', { SEPTET_SUPABASE_ANON_KEY: 'sb_publishable_1' }, 'without SEPTET_SUPABASE_URL'],
    ['a JWT secret alone', { SEPTET_SUPABASE_JWT_SECRET: 'shared' }, 'without SEPTET_SUPABASE_URL'],
    ['confirmation by nobody', { ...HOSTED, SEPTET_CONFIRM_EMAIL: 'on' }, 'SEPTET_CONFIRM_EMAIL is set beside'],
    ['an issuer of tokens in the open', { SEPTET_MCP_ISSUER: 'http://sso.example.com' }, 'must be an https:// address'],
    ['an issuer where everyone is served', { ...ISSUER, SEPTET_HOST: '0.0.0.0' }, 'without SEPTET_PUBLIC_URL'],
    ['groups of nobody', { SEPTET_MCP_GROUPS: 'ml=viewer' }, 'SEPTET_MCP_GROUPS is set without SEPTET_MCP_ISSUER'],
    ['a group without a role', { ...ISSUER, SEPTET_MCP_GROUPS: 'ml=owner' }, 'holds "ml=owner"'],
    ['no letters at all', { SEPTET_MAILS_RESERVED: '0' }, 'SEPTET_MAILS_RESERVED is "0" but must be a whole number'],
    ['letters of nobody', { ...HOSTED, SEPTET_MAILS_PER_HOUR: '9' }, 'SEPTET_MAILS_PER_HOUR is set beside'],
    ['a proxy by name', { SEPTET_TRUSTED_PROXIES: 'proxy.example.com' }, 'holds "proxy.example.com"'],
    ['everyone as a proxy', { SEPTET_TRUSTED_PROXIES: '0.0.0.0/0' }, 'would believe everyone'],
    ['an address with a zone', { SEPTET_TRUSTED_PROXIES: 'fe80::1%eth0' }, 'holds "fe80::1%eth0"'],
    ['a range too narrow to be one', { SEPTET_TRUSTED_PROXIES: '10.0.0.0/33' }, 'holds "10.0.0.0/33"'],
  ])('%s is refused', (_name, environment, words) => {
    expect(() => read(environment)).toThrow(words)
  })

  test('an issuer of tokens is taken as it names itself, with its groups where they are set', () => {
    expect(read(ISSUER).mcpIssuer).toEqual({ url: 'https://sso.example.com/realm/', groups: undefined })
    expect(read({ ...ISSUER, SEPTET_MCP_GROUPS: 'ml=viewer, a=b=operator' }).mcpIssuer?.groups).toEqual(
      new Map([
        ['ml', 'viewer'],
        ['a=b', 'operator'],
      ]),
    )
  })

  test('limits: what is named is set, the rest stays', () => {
    const { limits } = read({ SEPTET_RATE_LIMITS: 'token=600, factor = 30', SEPTET_MAILS_PER_HOUR: '200' })
    expect(limits.requests).toEqual({ token: 600, factor: 30 })
    expect(limits.letters).toEqual({ ...read({}).limits.letters, hourly: 200 })
  })

  test('docs/configuration.md lists the usual limit of each kind', async () => {
    const text = await readFile(resolve(import.meta.dirname, '../../../docs/configuration.md'), 'utf8')
    const rows = text
      .split('\n')
      .filter((line) => line.startsWith('| `') && /\d+ in (five minutes|a minute|ten seconds)/u.test(line))
    const spans = { 10: 'ten seconds', 60: 'a minute', 300: 'five minutes' } as const
    for (const [kind, { points, duration }] of Object.entries(REQUEST_LIMITS)) {
      const [row = ''] = rows.filter((line) => line.includes(`\`${kind}\``))
      expect(row).toContain(` ${points} in ${spans[duration]} `)
    }
  })

  test.each([
    ['tokens=1', 'holds "tokens=1", which is not a kind and a number'],
    ['token=0', 'holds "token=0"'],
    [
      'token',
      'the kinds are signup, otp, recover, resend, user, verify, token, factor, admin, may-sign-up, login, login-poll',
    ],
    ['token=1=2', 'holds "token=1=2"'],
  ])('the limits "%s" are refused', (limits, words) => {
    expect(() => read({ SEPTET_RATE_LIMITS: limits })).toThrow(words)
  })

  test('secrets are not repeated in what is refused', () => {
    expect(() => read({ SEPTET_SMTP_URL: 'mail://septet:hunter2@mail' })).not.toThrow('hunter2')
    expect(() => read({ SEPTET_SETUP_SECRET: 'hunter2' })).not.toThrow('hunter2')
  })

  test('a secret key of the project is refused: every visitor would be shown it', () => {
    const claims = Buffer.from('{"iss":"supabase","role":"service_role"}').toString('base64url')
    for (const key of ['sb_secret_1', `e30.${claims}.c2ln`]) {
      expect(() => read({ ...HOSTED, SEPTET_SUPABASE_ANON_KEY: key })).toThrow('is a secret (service role) key')
    }
    const anon = Buffer.from('{"iss":"supabase","role":"anon"}').toString('base64url')
    expect(read({ ...HOSTED, SEPTET_SUPABASE_ANON_KEY: `e30.${anon}.c2ln` }).mode.kind).toBe('hosted')
  })

  test.each([
    ['nothing else', { SEPTET_HOST: '0.0.0.0' }, 'without SEPTET_AUTHORIZED_EMAIL and SEPTET_SETUP_SECRET'],
    ['no setup secret', PUBLIC, 'without SEPTET_SETUP_SECRET'],
    ['no address', { SEPTET_HOST: '::', ...SETUP }, 'without SEPTET_AUTHORIZED_EMAIL'],
    [
      'no setup secret, through a proxy on the same machine',
      { ...PUBLIC, ...BEHIND_PROXY },
      'without SEPTET_SETUP_SECRET',
    ],
    [
      'nothing else, through such a proxy',
      BEHIND_PROXY,
      'SEPTET_PUBLIC_URL is "https://septet.example.com", which others',
    ],
    ['no address, accounts elsewhere', { SEPTET_HOST: '10.1.2.3', ...HOSTED }, 'without SEPTET_AUTHORIZED_EMAIL'],
  ])('others can reach it, and there is %s: it does not start', (_name, environment, words) => {
    expect(() => read(environment)).toThrow(words)
  })

  const OPEN = { ...PUBLIC, ...SETUP, ...BEHIND_PROXY }
  const CONFIRMED = { SEPTET_CONFIRM_EMAIL: 'on', SEPTET_SMTP_URL: 'smtps://mail.example.com' }

  test.each([
    [
      'a domain, behind a proxy',
      { ...OPEN, SEPTET_AUTHORIZED_EMAIL: 'ops@example.com,*@example.com' },
      '*@example.com',
    ],
    ['anyone, behind a proxy', { ...OPEN, SEPTET_AUTHORIZED_EMAIL: 'ops@example.com,*' }, '*'],
    [
      'a domain, listening for all',
      { ...PUBLIC, ...SETUP, SEPTET_AUTHORIZED_EMAIL: 'ops@example.com,*@a.example,*@b.example' },
      '*@a.example and *@b.example',
    ],
  ])('others can reach it, it lets in %s, and nobody proves their address: it does not start', (_name, env, listed) => {
    expect(() => read(env)).toThrow(
      `SEPTET_AUTHORIZED_EMAIL lets in ${listed} while SEPTET_CONFIRM_EMAIL is off: the first to enter such an address gets its account. Set SEPTET_CONFIRM_EMAIL=on and SEPTET_SMTP_URL, or list each address.`,
    )
    expect(() => read({ ...env, ...CONFIRMED, ...BEHIND_PROXY })).not.toThrow()
  })

  test('a wildcard is no danger where addresses are proven elsewhere, or nobody else comes', () => {
    const wildcard = { SEPTET_AUTHORIZED_EMAIL: 'ops@example.com,*@example.com' }
    expect(read({ ...BEHIND_PROXY, ...HOSTED, ...wildcard }).mode.kind).toBe('hosted')
    expect(read({ ...wildcard, SEPTET_PUBLIC_URL: 'http://127.0.0.1:7070' }).confirmEmail).toBe(false)
  })

  test.each(['signing-in.md', 'configuration.md'])(
    'the recipes of docs/%s for a public address start',
    async (name) => {
      const text = await readFile(resolve(import.meta.dirname, '../../../docs', name), 'utf8')
      const recipes = [...text.matchAll(/```sh\n(.*?)```/gsu)]
        .map(([, recipe = '']) => recipe.replaceAll('\\\n', ' '))
        .filter((recipe) => recipe.includes('SEPTET_SETUP_SECRET='))
      expect(recipes).not.toEqual([])
      for (const recipe of recipes) {
        const settings = [...recipe.matchAll(/\b(SEPTET_\w+)=("\$\([^)]*\)"|'[^']*'|\S+)/gu)]
        const given = settings.map(
          ([, setting = '', value = '']) => [setting, value.replaceAll(/^'|'$/gu, '')] as const,
        )
        const auth = read(Object.fromEntries(given))
        expect([auth.publicUrl, auth.confirmEmail, auth.smtp?.from]).toEqual([
          'https://septet.example.com',
          true,
          'Septet <septet@septet.example.com>',
        ])
      }
    },
  )

  test('others can reach it and the first admin is safe: it starts', () => {
    expect(read({ ...PUBLIC, ...SETUP }).setupSecret).toBe('sixteen-letters!')
    expect(read({ ...PUBLIC, ...HOSTED }).mode.kind).toBe('hosted')
    expect(read({ ...PUBLIC, ...SETUP, ...BEHIND_PROXY }).publicUrl).toBe('https://septet.example.com')
  })

  test.each(['http://localhost:7070', 'http://127.0.0.1:7070', 'http://[::1]:7070'])(
    'nobody else comes by %s: it starts with nothing else',
    (address) => expect(read({ SEPTET_PUBLIC_URL: address }).publicUrl).toBe(address),
  )
})
