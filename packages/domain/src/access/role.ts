/** What a person or a token may do: look; record wishes and act on plans; decide who else may. Each includes the one before. */
export const ROLES = ['viewer', 'operator', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** Whether a role includes what another may do. */
export const mayActAs = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed)
