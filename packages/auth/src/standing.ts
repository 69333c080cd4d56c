import type { AccessStore, Role } from '@septet/domain'

import { admits, foldEmail } from './admission.ts'
import type { AuthorizedEmails } from './auth-config.ts'

/** What an address may do now: its role, and the only namespaces it sees (undefined for all). */
export type Standing = { readonly role: Role; readonly namespaces: readonly string[] | undefined }

/**
 * Reads it from the settings and from what admins decided, at the time of asking. Undefined for an address that is not
 * admitted, also when it once was. The authorized address stays admin whatever is written about it, so that no one can
 * lock the owner out.
 */
export async function standingOf(
  email: string,
  { authorized, members }: { readonly authorized: AuthorizedEmails; readonly members: AccessStore['members'] },
): Promise<Standing | undefined> {
  if (!admits(authorized, email)) return undefined
  const folded = foldEmail(email)
  if (folded === authorized.admin) return { role: 'admin', namespaces: undefined }
  const member = await members.get(folded)
  return { role: member?.role ?? 'viewer', namespaces: member?.namespaces }
}
