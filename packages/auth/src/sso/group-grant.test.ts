import { expect, test } from 'vitest'

import { grantOf } from './enter.ts'
import { groupsIn } from './person.ts'
import type { GroupGrant } from '../sso-config.ts'

const GRANTS: readonly GroupGrant[] = [
  { group: 'a', role: 'viewer', namespaces: ['one'] },
  { group: 'b', role: 'viewer', namespaces: ['two', 'one'] },
  { group: 'c', role: 'operator', namespaces: ['three'] },
  { group: 'all', role: 'viewer', namespaces: undefined },
  { group: 'a', role: 'operator', namespaces: ['four'] },
]

test.each<[string[], ReturnType<typeof grantOf>]>([
  [[], undefined],
  [['nobody', 'A'], undefined],
  [['b'], { role: 'viewer', namespaces: ['one', 'two'] }],
  [['b', 'all'], { role: 'viewer', namespaces: undefined }],
  // Not operator of everything, which no group gives.
  [['all', 'c'], { role: 'operator', namespaces: ['three'] }],
  // One group may stand twice: a role in some namespaces, another in others.
  [['a', 'c'], { role: 'operator', namespaces: ['four', 'three'] }],
])('groups %j give %j', (groups, grant) => expect(grantOf(groups, GRANTS)).toEqual(grant))

test.each<[Record<string, unknown>, string, readonly string[] | undefined]>([
  [{ groups: ['a', 1, null, 'b'] }, 'groups', ['a', 'b']],
  [{ groups: 'a' }, 'groups', ['a']],
  [{ groups: { a: true } }, 'groups', undefined],
  [{}, 'groups', undefined],
  [{ realm_access: { roles: ['a'] } }, 'realm_access.roles', ['a']],
  [{ realm_access: 'x' }, 'realm_access.roles', undefined],
  // A name with dots is a name first.
  [{ 'https://example.com/groups': ['a'] }, 'https://example.com/groups', ['a']],
  [{}, 'constructor.name', undefined],
])('the groups of %j under %s are %j', (claims, name, groups) => expect(groupsIn(claims, name)).toEqual(groups))
