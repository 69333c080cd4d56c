import { resolve } from 'node:path'

import type { GroupGrant, SingleSignOn } from '@septet/auth'
import { ROLES } from '@septet/domain'

import { isAddressRange } from './address-range.ts'
import { isIssuerAddress } from './issuer-settings.ts'
import { isLoopback, listOf } from './setting-values.ts'
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
export function grantsIn(text: string): GroupGrant[] {
  const cut = text.lastIndexOf('=')
  const [roleText = '', list] = text.slice(cut + 1).split(':')
  const role = ROLES.find((each) => each === roleText)
  const namespaces = list?.split('+').map((each) => each.trim())
  const isRead = cut > 0 && role !== undefined && (namespaces ?? []).every((each) => NAMESPACE.test(each))
  return isRead ? [{ group: text.slice(0, cut), role, namespaces }] : []
}
