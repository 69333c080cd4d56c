import type { Role } from '@septet/domain'

/** What each role may do. */
export const ROLE_WORDS = {
  viewer: 'read-only access',
  operator: 'can also approve actions and dismiss recommendations',
  admin: 'can also manage access',
} as const satisfies Record<Role, string>

/** The same names as the domain's ROLES, which role-words.test.ts checks. */
export const ROLE_NAMES = ['viewer', 'operator', 'admin'] as const satisfies readonly Role[]

/** Some namespaces or clusters by name; null stands for all. */
export function limitWords(names: readonly string[] | null): string {
  if (names === null) return 'all'
  return names.length === 0 ? 'none' : names.join(', ')
}

/** Whether someone of one role may do what needs another; no while their role is not known. */
export const mayAs = (role: Role | undefined, needs: Role): boolean =>
  role !== undefined && ROLE_NAMES.indexOf(role) >= ROLE_NAMES.indexOf(needs)

/** The roles that someone of a role can give, each with what it may do. */
export const roleChoices = (own: Role) =>
  ROLE_NAMES.filter((role) => mayAs(own, role)).map((value) => ({ value, words: `${value}: ${ROLE_WORDS[value]}` }))
