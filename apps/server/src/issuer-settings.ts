import type { TokenIssuer } from '@septet/auth'
import { ROLES, type Role } from '@septet/domain'

import { isLoopback, listOf } from './setting-values.ts'
import type { Text } from './settings.ts'

/** Whose access tokens the MCP endpoint takes, from settings in which `wrongIssuer` finds nothing. */
export function configuredIssuer(text: Text): TokenIssuer | undefined {
  if (!text.given('SEPTET_MCP_ISSUER')) return undefined
  const groups = text.given('SEPTET_MCP_GROUPS') ? Object.fromEntries(rolesOf(text)) : undefined
  return { url: text('SEPTET_MCP_ISSUER'), groups }
}

/** A sentence for everything that is wrong with it. */
export function wrongIssuer(text: Text): string[] {
  const wrong: string[] = []
  if (!text.given('SEPTET_MCP_ISSUER')) return []
  if (!isIssuerAddress(text('SEPTET_MCP_ISSUER'))) {
    wrong.push(
      `SEPTET_MCP_ISSUER is "${text('SEPTET_MCP_ISSUER')}" but must be an https:// address, or http:// on this machine.`,
    )
  }
  if (!isLoopback(text('SEPTET_HOST')) && !text.given('SEPTET_PUBLIC_URL')) {
    wrong.push(
      'SEPTET_MCP_ISSUER is set without SEPTET_PUBLIC_URL: any client could claim whom its token was issued for.',
    )
  }
  return [...wrong, ...wrongGroups(text)]
}

/** Whether what an issuer says at an address can be believed: it is its own, or this machine's. */
export function isIssuerAddress(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
}

const wrongGroups = (text: Text): string[] =>
  listOf(text('SEPTET_MCP_GROUPS'))
    .filter((each) => roleOf(each) === undefined)
    .map((each) => `SEPTET_MCP_GROUPS holds "${each}", which is no group and role like platform=operator.`)

const rolesOf = (text: Text): readonly (readonly [string, Role])[] =>
  listOf(text('SEPTET_MCP_GROUPS')).flatMap((each) => {
    const found = roleOf(each)
    return found === undefined ? [] : [found]
  })

function roleOf(text: string): readonly [string, Role] | undefined {
  const cut = text.lastIndexOf('=')
  const role = ROLES.find((each) => each === text.slice(cut + 1))
  return cut > 0 && role !== undefined ? [text.slice(0, cut), role] : undefined
}
