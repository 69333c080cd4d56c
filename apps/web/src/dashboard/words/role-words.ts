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

/** Names as they were typed, by commas or spaces; undefined when there are none: then all are meant. */
export function typedNames(text: string): string[] | undefined {
  const names = text.split(/[\s,]+/u).filter((name) => name !== '')
  return names.length === 0 ? undefined : [...new Set(names)]
}

/** Whether someone of one role may do what needs another. */
export const mayAs = (role: Role, needs: Role): boolean => ROLE_NAMES.indexOf(role) >= ROLE_NAMES.indexOf(needs)
