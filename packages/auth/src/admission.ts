import type { AuthorizedEmails } from './auth-config.ts'
import type { AuthContext } from './auth-context.ts'
import { AuthProblem } from './auth-problem.ts'

/**
 * Whether an address may have an account. The whole address is compared, character by character after `foldEmail`: a
 * `+label` makes another address, and so does a letter that only looks alike.
 */
export function admits(authorized: AuthorizedEmails, email: string): boolean {
  const folded = foldEmail(email)
  if (!isEmail(folded)) return false
  if (folded === authorized.admin || authorized.anyone) return true
  const domain = folded.slice(folded.indexOf('@'))
  return authorized.others.some((entry) => (entry.startsWith('*@') ? entry.slice(1) === domain : entry === folded))
}

/**
 * An address as it is kept and compared: without spaces around it, and with A to Z in lower case. Nothing beyond ASCII is
 * folded, because Unicode folding makes different people equal: the Kelvin sign becomes k, the dotted capital I an i.
 * Spaces are looked at from their first on alone: from each of 200,000 in the middle it would take minutes.
 */
export const foldEmail = (text: string): string =>
  text.replaceAll(/^[ \t\r\n]+|(?<![ \t\r\n])[ \t\r\n]+$/gu, '').replaceAll(/[A-Z]/gu, (letter) => letter.toLowerCase())

/**
 * Whether a folded address could receive mail: one `@`, a host with a dot or `localhost`, no space, control or invisible
 * character, and at most 254 octets (RFC 5321, section 4.5.3.1.3). Quoted local parts are not taken.
 */
export const isEmail = (folded: string): boolean =>
  folded.length <= MOST_OCTETS &&
  Buffer.byteLength(folded) <= MOST_OCTETS &&
  folded.isWellFormed() &&
  /^[^\p{C}\p{Z}@"(),:;<>[\]\\]{1,64}@[^\p{C}\p{Z}@"(),:;<>[\]\\/]+$/u.test(folded) &&
  hasHost(folded.slice(folded.indexOf('@') + 1))

const MOST_OCTETS = 254

const hasHost = (host: string): boolean =>
  host === 'localhost' || (host.includes('.') && host.split('.').every((label) => /^(?!-).{1,63}(?<!-)$/u.test(label)))

/** Gives the folded address, or refuses: 400 `validation_failed` for what is not an address. */
export function needEmail(text: string): string {
  const folded = foldEmail(text)
  if (isEmail(folded)) return folded
  throw new AuthProblem(400, 'validation_failed', 'Unable to validate email address: invalid format')
}

/** Refuses an address that may not have an account here; ask before any row is made. */
export function needAdmitted(context: Pick<AuthContext, 'config'>, email: string): void {
  if (!admits(context.config.authorized, email)) throw notAdmitted()
}

export const notAdmitted = (): AuthProblem =>
  new AuthProblem(422, 'email_address_not_authorized', 'Sign up is restricted to authorized users only')
