import { mayActAs } from '@septet/domain'

import type { Standing } from '../standing.ts'
import type { GroupGrant } from '../sso-config.ts'

/**
 * What a person's groups give: the highest role of them, for the namespaces of those groups that give it, so that nobody
 * gets a role in a namespace where no group of theirs gives it. Undefined where they are in no group that gives anything.
 */
export function grantOf(groups: readonly string[], grants: readonly GroupGrant[]): Standing | undefined {
  const theirs = new Set(groups)
  const given = grants.filter(({ group }) => theirs.has(group))
  const [most] = given.toSorted((a, b) => (mayActAs(a.role, b.role) ? -1 : 1))
  if (most === undefined) return undefined
  const counting = given.filter(({ role }) => role === most.role).map(({ namespaces }) => namespaces)
  const isEverywhere = counting.includes(undefined)
  const named = [...new Set(counting.flatMap((namespaces) => namespaces ?? []))].toSorted()
  return { role: most.role, namespaces: isEverywhere ? undefined : named }
}
