export { admits, foldEmail, isEmail } from './admission.ts'
export type { Audit } from './audit.ts'
export {
  type AuthConfig,
  type AuthorizedEmails,
  type RateLimits,
  REQUEST_LIMITS,
  type RequestKind,
  type ServiceAccountGrant,
  type TokenIssuer,
} from './auth-config.ts'
export type { AuthContext } from './auth-context.ts'
export { AuthProblem } from './auth-problem.ts'
export { type Auth, openAuth } from './auth-service.ts'
export { cookieIn } from './cookies.ts'
export { type Gate, TOKEN_PREFIX, bearerOf, openGate } from './gate.ts'
export { type IssuerGate, openIssuerGate } from './issuer-gate.ts'
export { addressKey } from './limits.ts'
export { type AllowedLogin, openLogins, type Logins } from './logins.ts'
export { openMailer } from './mailer.ts'
export type { HashCost } from './passwords.ts'
export type { RoleNeeds } from './standing.ts'
export { sameText } from './same-text.ts'
export { openServiceAccountGate, type ServiceAccountGate } from './service-account-gate.ts'
export { type Secrets, secretsFrom } from './secrets.ts'
export type { GroupGrant, SingleSignOn } from './sso-config.ts'
