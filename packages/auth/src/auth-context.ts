import type { AccessStore, Instant, Log, NoteStore, SettingStore } from '@septet/domain'

import type { Audit } from './audit.ts'
import type { AuthConfig } from './auth-config.ts'
import type { SignInLimits } from './limits.ts'
import type { LiveSessions } from './live-sessions.ts'
import type { Mailer } from './mailer.ts'
import type { Passwords } from './passwords.ts'
import type { Secrets } from './secrets.ts'
import type { SigningKeys } from './signing-keys.ts'

/** What every route of the auth service is given. */
export type AuthContext = {
  readonly config: AuthConfig
  /** Empties `live` by itself whenever an account, session or factor changes through it. */
  readonly access: AccessStore
  readonly live: LiveSessions
  readonly settings: SettingStore
  readonly notes: NoteStore
  readonly secrets: Secrets
  readonly signingKeys: SigningKeys
  readonly passwords: Passwords
  readonly limits: SignInLimits
  readonly mailer: Mailer
  readonly audit: Audit
  readonly log: Log
  readonly now: () => Instant
  /** How people reach Septet, without a trailing slash. */
  readonly siteUrl: () => string
}
