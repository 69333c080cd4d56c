import { resolve } from 'node:path'

import type { GroupGrant, SingleSignOn, TokenIssuer, ServiceAccountGrant } from '@septet/auth'
import { ROLES } from '@septet/domain'

import { isLoopback, listOf, isAddressRange } from './setting-values.ts'
import type { Text } from './settings.ts'

/** By whose word people come in, from settings in which `wrongSso` finds nothing. */
export function ssoOf(text: Text, workingDir: string): SingleSignOn | undefined {
  const by = byOf(text, workingDir)
  if (by === undefined) return undefined
  return {
    name: text('SEPTET_SSO_NAME'),
    by,
    groups: text.given('SEPTET_SSO_GROUPS') ? listOf(text('SEPTET_SSO_GROUPS')).flatMap(grantsIn) : undefined,
    link: text('SEPTET_SSO_LINK') === 'on',
    signOut: text('SEPTET_SSO_SIGN_OUT') === 'on',
    sessionHours: Number(text('SEPTET_SSO_SESSION_HOURS')),
    tokenDays: Number(text('SEPTET_SSO_TOKEN_DAYS')),
  }
}

function byOf(text: Text, workingDir: string): SingleSignOn['by'] | undefined {
  if (text.given('SEPTET_SSO_PROXIES')) {
    return {
      kind: 'proxy',
      proxies: listOf(text('SEPTET_SSO_PROXIES')),
      emailHeader: text('SEPTET_SSO_EMAIL_HEADER'),
      groupsHeader: text('SEPTET_SSO_GROUPS_HEADER'),
    }
  }
  if (!text.given('SEPTET_SSO_ISSUER')) return undefined
  const secretFile = text('SEPTET_SSO_CLIENT_SECRET_FILE')
  return {
    kind: 'oidc',
    issuer: text('SEPTET_SSO_ISSUER'),
    clientId: text('SEPTET_SSO_CLIENT_ID'),
    clientSecretFile: secretFile === '' ? undefined : resolve(workingDir, secretFile),
    scopes: text('SEPTET_SSO_SCOPES'),
    groupsClaim: text('SEPTET_SSO_GROUPS_CLAIM'),
  }
}

/** A sentence for everything that is wrong with it. */
export const wrongSso = (text: Text): string[] => [...wrongIssuer(text), ...wrongProxies(text), ...wrongGroups(text)]

function wrongIssuer(text: Text): string[] {
  if (!text.given('SEPTET_SSO_ISSUER')) return text.given('SEPTET_SSO_PROXIES') ? [] : wrongAlone(text)
  const wrong: string[] = []
  const issuer = text('SEPTET_SSO_ISSUER')
  if (!isIssuerAddress(issuer)) {
    wrong.push(`SEPTET_SSO_ISSUER is "${issuer}" but must be an https:// address, or http:// on this machine.`)
  }
  // There anyone can have an organization, and in it any address.
  if (/^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)\//u.test(issuer)) {
    wrong.push(`SEPTET_SSO_ISSUER is "${issuer}", which signs in people of every organization: name the tenant's own.`)
  }
  if (!isLoopback(text('SEPTET_HOST')) && !text.given('SEPTET_PUBLIC_URL')) {
    wrong.push('SEPTET_SSO_ISSUER is set without SEPTET_PUBLIC_URL: it needs an address to send people back to.')
  }
  return wrong
}

/** Settings that do nothing while nobody is named by whose word people come in. */
const wrongAlone = (text: Text): string[] =>
  (['SEPTET_SSO_NAME', 'SEPTET_SSO_GROUPS', 'SEPTET_SSO_LINK'] as const)
    .filter((name) => text.given(name))
    .map((name) => `${name} is set without SEPTET_SSO_ISSUER or SEPTET_SSO_PROXIES: name by whose word people come in.`)

function wrongProxies(text: Text): string[] {
  const both = text.given('SEPTET_SSO_PROXIES') && text.given('SEPTET_SSO_ISSUER')
  return [
    ...(both ? ['SEPTET_SSO_ISSUER and SEPTET_SSO_PROXIES are both set: keep one of them.'] : []),
    ...listOf(text('SEPTET_SSO_PROXIES'))
      .filter((range) => !isAddressRange(range))
      .map((range) => `SEPTET_SSO_PROXIES holds "${range}", which is no address and no range like 10.0.0.0/24.`),
  ]
}

const wrongGroups = (text: Text): string[] =>
  listOf(text('SEPTET_SSO_GROUPS'))
    .filter((each) => grantsIn(each).length === 0)
    .map(
      (each) =>
        `SEPTET_SSO_GROUPS holds "${each}", which is no group and role like platform=operator, with namespaces after a colon like ml=viewer:team-a+team-b.`,
    )

const NAMESPACE = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/u

/** One group's part of the list; none where it cannot be read. A group's own name may hold `=` and `:`. */
function grantsIn(text: string): GroupGrant[] {
  const cut = text.lastIndexOf('=')
  const [roleText = '', list] = text.slice(cut + 1).split(':')
  const role = ROLES.find((each) => each === roleText)
  const namespaces = list?.split('+').map((each) => each.trim())
  const isRead = cut > 0 && role !== undefined && (namespaces ?? []).every((each) => NAMESPACE.test(each))
  return isRead ? [{ group: text.slice(0, cut), role, namespaces }] : []
}

/** Whose access tokens the MCP endpoint takes, from settings in which `wrongMcpIssuer` finds nothing. */
export function mcpIssuerOf(text: Text): TokenIssuer | undefined {
  if (!text.given('SEPTET_MCP_ISSUER')) return undefined
  const grants = listOf(text('SEPTET_MCP_GROUPS')).flatMap(wholeGrantsIn)
  return {
    url: text('SEPTET_MCP_ISSUER'),
    groups: text.given('SEPTET_MCP_GROUPS') ? new Map(grants.map(({ group, role }) => [group, role])) : undefined,
  }
}

/** A sentence for everything that is wrong with it. */
export function wrongMcpIssuer(text: Text): string[] {
  const issuer = text('SEPTET_MCP_ISSUER')
  if (!text.given('SEPTET_MCP_ISSUER')) return []
  const wrong = listOf(text('SEPTET_MCP_GROUPS'))
    .filter((each) => wholeGrantsIn(each).length === 0)
    .map((each) => `SEPTET_MCP_GROUPS holds "${each}", which is no group and role like platform=operator.`)
  if (!isLoopback(text('SEPTET_HOST')) && !text.given('SEPTET_PUBLIC_URL')) {
    wrong.unshift(
      'SEPTET_MCP_ISSUER is set without SEPTET_PUBLIC_URL: any client could claim whom its token was issued for.',
    )
  }
  if (!isIssuerAddress(issuer)) {
    wrong.unshift(`SEPTET_MCP_ISSUER is "${issuer}" but must be an https:// address, or http:// on this machine.`)
  }
  return wrong
}

/** A grant of all namespaces, as groups of the MCP endpoint have it. */
const wholeGrantsIn = (text: string): GroupGrant[] =>
  grantsIn(text).filter(({ namespaces }) => namespaces === undefined)

/** Whether what an issuer says at an address can be believed: it is its own, or this machine's. */
function isIssuerAddress(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
}

/** Which service accounts come in by their own tokens, from settings in which `wrongServiceAccounts` finds nothing. */
export const serviceAccountsOf = (text: Text): readonly ServiceAccountGrant[] =>
  listOf(text('SEPTET_SERVICE_ACCOUNTS')).flatMap((each) => grantIn(each) ?? [])

/** A sentence for everything that is wrong with it. */
export function wrongServiceAccounts(text: Text): string[] {
  if (!text.given('SEPTET_SERVICE_ACCOUNTS')) return []
  const entries = listOf(text('SEPTET_SERVICE_ACCOUNTS'))
  const accounts = entries.map(accountText)
  const twice = accounts.filter((each, order) => accounts.indexOf(each) !== order)
  return [
    ...(text.given('SEPTET_PUBLIC_URL')
      ? []
      : ['SEPTET_SERVICE_ACCOUNTS is set without SEPTET_PUBLIC_URL: tokens are issued for that address.']),
    ...entries
      .filter((each) => grantIn(each) === undefined)
      .map(
        (each) =>
          `SEPTET_SERVICE_ACCOUNTS holds "${each}", which is not CLUSTER/NAMESPACE/NAME, with viewer or operator after = and namespaces after a colon like prod/ml/agent=operator:ml+speech.`,
      ),
    ...twice.map((each) => `SEPTET_SERVICE_ACCOUNTS names ${each} twice: keep one of them.`),
  ]
}

const accountText = (entry: string): string => entry.split('=')[0] ?? ''

const PART = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/u

/**
 * One account's part of the list; undefined where it cannot be read. No service account is an admin: whoever may start pods
 * in a namespace may use all that are there.
 */
function grantIn(entry: string): ServiceAccountGrant | undefined {
  const parts = accountText(entry).split('/')
  const [cluster = '', namespace = '', name = ''] = parts
  if (parts.length !== 3 || !parts.every((part) => PART.test(part))) return undefined
  if (!entry.includes('=')) return { cluster, namespace, name, role: 'viewer', namespaces: [namespace] }
  const [grant] = grantsIn(entry)
  if (grant === undefined || grant.role === 'admin') return undefined
  return { cluster, namespace, name, role: grant.role, namespaces: grant.namespaces }
}
