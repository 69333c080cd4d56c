import { agree, listed } from '@septet/domain/words'
import {
  foldEmail,
  isEmail,
  REQUEST_LIMITS,
  type AuthConfig,
  type AuthorizedEmails,
  type RateLimits,
  type RequestKind,
} from '@septet/auth'

import { isLoopback, listOf, isAddressRange } from './setting-values.ts'
import type { Text, SettingName } from './settings.ts'
import {
  ssoOf,
  wrongSso,
  mcpIssuerOf,
  wrongMcpIssuer,
  serviceAccountsOf,
  wrongServiceAccounts,
} from './sso-settings.ts'

/** How much one network address or one reader can cause, from settings in which `wrongRateLimits` finds nothing. */
const rateLimitsOf = (text: Text): RateLimits => ({
  requests: Object.fromEntries(
    listOf(text('SEPTET_RATE_LIMITS'))
      .map(readLimit)
      .filter((limit) => limit !== undefined),
  ),
  letters: {
    hourly: Number(text('SEPTET_MAILS_PER_HOUR')),
    reserved: Number(text('SEPTET_MAILS_RESERVED')),
    perAddress: Number(text('SEPTET_MAILS_PER_ADDRESS')),
    perRecipient: Number(text('SEPTET_MAILS_PER_RECIPIENT')),
  },
})

/** The settings that count letters; they do nothing where a hosted project writes them. */
const LETTER_SETTINGS = [
  'SEPTET_MAILS_PER_HOUR',
  'SEPTET_MAILS_RESERVED',
  'SEPTET_MAILS_PER_ADDRESS',
  'SEPTET_MAILS_PER_RECIPIENT',
] as const satisfies readonly SettingName[]

/** A sentence for everything in them that is wrong. */
const wrongRateLimits = (text: Text): string[] => [
  ...LETTER_SETTINGS.filter((name) => !isCount(text(name))).map(
    (name) => `${name} is "${text(name)}" but must be a whole number of emails from 1 to ${MOST}.`,
  ),
  ...listOf(text('SEPTET_RATE_LIMITS'))
    .filter((part) => readLimit(part) === undefined)
    .map(
      (part) =>
        `SEPTET_RATE_LIMITS holds "${part}", which is not a kind and a number from 1 to ${MOST} like token=150; the kinds are ${KINDS.join(', ')}.`,
    ),
]

const MOST = 100_000
const isCount = (text: string): boolean => /^[1-9]\d{0,5}$/u.test(text) && Number(text) <= MOST

const isKind = (name: string): name is RequestKind => Object.hasOwn(REQUEST_LIMITS, name)
const KINDS = Object.keys(REQUEST_LIMITS).filter(isKind)

function readLimit(part: string): readonly [RequestKind, number] | undefined {
  const [name = '', count = '', ...more] = part.split('=').map((each) => each.trim())
  return isKind(name) && isCount(count) && more.length === 0 ? [name, Number(count)] : undefined
}

/** How people sign in, from settings in which `wrongAuthSettings` finds nothing. */
export function authConfigOf(text: Text, workingDir: string): AuthConfig {
  const publicUrl = withoutSlash(text('SEPTET_PUBLIC_URL')) || undefined
  return {
    mode: modeOf(text),
    authorized: authorizedOf(text),
    setupSecret: text('SEPTET_SETUP_SECRET') || undefined,
    masterSecret: text('SEPTET_SECRET') || undefined,
    masterSecretBefore: text('SEPTET_SECRET_BEFORE') || undefined,
    publicUrl,
    confirmEmail: text('SEPTET_CONFIRM_EMAIL') === 'on',
    smtp: smtpOf(text, publicUrl),
    trustedProxies: listOf(text('SEPTET_TRUSTED_PROXIES')),
    publicDemo: text('SEPTET_PUBLIC_DEMO') === 'on',
    mcpIssuer: mcpIssuerOf(text),
    sso: ssoOf(text, workingDir),
    serviceAccounts: serviceAccountsOf(text),
    limits: rateLimitsOf(text),
  }
}

/** A sentence for everything about sign-in that is wrong, or that does not go together. */
export const wrongAuthSettings = (text: Text): string[] => [
  ...wrongAuthorized(text),
  ...wrongProxies(text),
  ...wrongCompany(text),
  ...missingWherePublic(text),
  ...unprovenWherePublic(text),
  ...wrongRateLimits(text),
  ...wrongMcpIssuer(text),
  ...wrongSso(text),
  ...wrongServiceAccounts(text),
]

const withoutSlash = (address: string): string => address.replace(/\/+$/u, '')

function modeOf(text: Text): AuthConfig['mode'] {
  const url = withoutSlash(text('SEPTET_SUPABASE_URL'))
  if (url === '') return { kind: 'embedded' }
  return {
    kind: 'hosted',
    url,
    anonKey: text('SEPTET_SUPABASE_ANON_KEY'),
    jwtSecret: text('SEPTET_SUPABASE_JWT_SECRET') || undefined,
  }
}

function authorizedOf(text: Text): AuthorizedEmails {
  const [admin = '', ...rest] = listOf(text('SEPTET_AUTHORIZED_EMAIL')).map(foldEmail)
  return { admin, others: rest.filter((each) => each !== '*'), anyone: rest.includes('*') }
}

function smtpOf(text: Text, publicUrl: string | undefined): AuthConfig['smtp'] {
  const url = text('SEPTET_SMTP_URL')
  if (url === '' || publicUrl === undefined) return undefined
  return { url, from: text('SEPTET_MAIL_FROM') || `Septet <septet@${new URL(publicUrl).hostname}>` }
}

const isAddress = (text: string): boolean => !text.includes('*') && isEmail(foldEmail(text))
const isWholeDomain = (text: string): boolean => text.startsWith('*@') && isAddress(text.replace('*', 'anyone'))

function wrongAuthorized(text: Text): string[] {
  const [admin = '', ...others] = listOf(text('SEPTET_AUTHORIZED_EMAIL'))
  const wrong: string[] = []
  if (!isAddress(admin)) {
    wrong.push(
      `SEPTET_AUTHORIZED_EMAIL begins with "${admin}", but its first part is the admin's and must be one whole e-mail address; others, *@example.com or * may follow.`,
    )
  }
  const unknown = others.filter((each) => each !== '*' && !isAddress(each) && !isWholeDomain(each))
  return [
    ...wrong,
    ...unknown.map(
      (each) => `SEPTET_AUTHORIZED_EMAIL holds "${each}", which is no e-mail address, *@example.com or *.`,
    ),
  ]
}

const NAMED_RANGES = new Set(['loopback', 'linklocal', 'uniquelocal'])

function wrongProxies(text: Text): string[] {
  return listOf(text('SEPTET_TRUSTED_PROXIES'))
    .filter((range) => !NAMED_RANGES.has(range) && !isAddressRange(range))
    .map(
      (range) =>
        `SEPTET_TRUSTED_PROXIES holds "${range}", which is no address and no range of addresses like 10.0.0.0/8; a range of all addresses would believe everyone.`,
    )
}

/** What is of no use, or a danger, beside or without something else. */
function wrongCompany(text: Text): string[] {
  const hosted = text.given('SEPTET_SUPABASE_URL')
  const wrong: string[] = []
  if (isSecretKey(text('SEPTET_SUPABASE_ANON_KEY'))) {
    wrong.push(
      'SEPTET_SUPABASE_ANON_KEY is a secret (service role) key, which every visitor would be shown: give the public (anon or publishable) one.',
    )
  }
  const idle = hosted ? ONLY_EMBEDDED.filter((name) => text.given(name) && text(name) !== 'off') : []
  return [
    ...wrong,
    ...idle.map(
      (name) => `${name} is set beside SEPTET_SUPABASE_URL: that project holds the accounts, so it would do nothing.`,
    ),
  ]
}

const ONLY_EMBEDDED = [
  'SEPTET_SETUP_SECRET',
  'SEPTET_CONFIRM_EMAIL',
  'SEPTET_SMTP_URL',
  'SEPTET_SSO_ISSUER',
  'SEPTET_SSO_PROXIES',
  ...LETTER_SETTINGS,
] as const

/** Supabase's secret keys: `sb_secret_…`, or a token whose role is `service_role`. */
function isSecretKey(key: string): boolean {
  if (key.startsWith('sb_secret_')) return true
  const claims = Buffer.from(key.split('.')[1] ?? '', 'base64url').toString('utf8')
  return /"role"\s*:\s*"(service_role|supabase_admin)"/u.test(claims)
}

/**
 * Where others can reach Septet, itself or through a proxy in front of it, the first of them to come could make the
 * admin's account.
 */
function missingWherePublic(text: Text): string[] {
  const reached = reachedBy(text)
  if (reached === undefined) return []
  const needed = text.given('SEPTET_SUPABASE_URL')
    ? (['SEPTET_AUTHORIZED_EMAIL'] as const)
    : (['SEPTET_AUTHORIZED_EMAIL', 'SEPTET_SETUP_SECRET'] as const)
  const missing = needed.filter((name) => !text.given(name))
  if (missing.length === 0) return []
  return [
    `${reached}, which others can reach, without ${listed(missing)}: anyone could be first to sign up as admin. Set ${agree(missing.length, 'it', 'both')}, or keep Septet to 127.0.0.1.`,
  ]
}

/** Where anyone at a domain may sign up and nobody proves their address, a stranger has the account of whom they name. */
function unprovenWherePublic(text: Text): string[] {
  const reached = reachedBy(text)
  const wildcards = listOf(text('SEPTET_AUTHORIZED_EMAIL')).filter((each) => each.startsWith('*'))
  const isProven = text.given('SEPTET_SUPABASE_URL') || text('SEPTET_CONFIRM_EMAIL') === 'on'
  if (reached === undefined || wildcards.length === 0 || isProven) return []
  return [
    `${reached}, which others can reach, and SEPTET_AUTHORIZED_EMAIL lets in ${listed(wildcards)} while SEPTET_CONFIRM_EMAIL is off: the first to enter such an address gets its account. Set SEPTET_CONFIRM_EMAIL=on and SEPTET_SMTP_URL, or list each address.`,
  ]
}

function reachedBy(text: Text): string | undefined {
  const host = text('SEPTET_HOST')
  if (!isLoopback(host)) return `SEPTET_HOST is "${host}"`
  const publicUrl = text('SEPTET_PUBLIC_URL')
  const name = URL.parse(publicUrl)?.hostname.replaceAll(/[[\]]/gu, '')
  return name === undefined || isLoopback(name) ? undefined : `SEPTET_PUBLIC_URL is "${publicUrl}"`
}
