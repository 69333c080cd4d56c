import type { ServiceAccountGrant } from '@septet/auth'

import { listOf } from './setting-values.ts'
import type { Text } from './settings.ts'
import { grantsIn } from './sso-settings.ts'

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
