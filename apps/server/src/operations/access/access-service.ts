import type { AccessStore, LoginRequest, Role } from '@septet/domain'
import { invalidInput } from '@septet/contract'

/** What operations need to know of how people come in, handed to them as a port. */
export type AccessService = {
  /** Whether Septet or a hosted project holds the accounts. */
  readonly mode: 'embedded' | 'hosted'
  /** Whether mails stay here, because no mail server is set. */
  readonly keepsMails: boolean
  /** How people reach Septet, without a trailing slash. */
  siteUrl(): string
  /** Who may sign up, as the settings say it; the admin first. */
  readonly authorized: readonly string[]
  /** Anyone who removes a session through it ends that session at once. */
  readonly access: Pick<AccessStore, 'accounts' | 'sessions' | 'members' | 'tokens' | 'audit' | 'mails'>
  /** An address as it is kept; undefined for what is none. */
  readAddress(text: string): string | undefined
  /** Whether the settings let an address in. */
  admits(email: string): boolean
  /** Signs access tokens with a new key from now on; ids of all keys then, the new one first. */
  rotateKeys(options: { readonly leaked: boolean }): Promise<readonly string[]>
  /** Command lines that wait to be signed in. */
  readonly logins: {
    /** What waits under a code. Counts how often a person looks; too often is refused with 429. */
    find(person: string, code: string): Promise<LoginRequest | undefined>
    /** Decides it, once; undefined where it was decided before or is over. */
    allow(request: LoginRequest, by: LoginGiver): Promise<DecidedLogin | undefined>
    deny(request: LoginRequest): Promise<DecidedLogin | undefined>
  }
  /** A new secret of an API token, and the keyed hash under which it is found again. */
  makeSecret(): { readonly secret: string; readonly hash: string }
}

/** Whose token it would be, and what it may do. */
export type LoginGiver = {
  readonly by: string
  /** Their account. */
  readonly account: string | undefined
  readonly role: Role
  readonly namespaces: readonly string[] | undefined
}
/** Where the browser goes then; undefined where it stays. */
type DecidedLogin = { readonly returnTo: string | undefined }

/** The address that a text is, as accounts are kept by it. Throws a `Refusal` for a text that is none. */
export function addressOf(service: Pick<AccessService, 'readAddress'>, text: string): string {
  const email = service.readAddress(text)
  if (email !== undefined) return email
  throw invalidInput(`"${text}" is not an email address.`, 'Enter a complete one, like you@example.com.')
}
