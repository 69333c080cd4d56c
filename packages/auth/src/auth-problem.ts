/**
 * A refusal in the words of the protocol: status, error code and a sentence. Routes throw it; it becomes an answer in
 * one place. Never use 5xx for what a person did: clients try again on those.
 */
export class AuthProblem extends Error {
  override readonly name = 'AuthProblem'
  readonly status: number
  readonly code: AuthCode
  /** Fields beside code and message, such as `weak_password`. */
  readonly extra: Readonly<Record<string, unknown>>
  /** When it is worth trying again, seconds: the `retry-after` header. */
  readonly retryAfter: number | undefined

  constructor(status: number, code: AuthCode, says: string | ProblemWords) {
    const words = typeof says === 'string' ? { message: says } : says
    super(words.message)
    this.status = status
    this.code = code
    this.extra = words.extra ?? {}
    this.retryAfter = words.retryAfter
  }
}

export type ProblemWords = {
  readonly message: string
  readonly extra?: Readonly<Record<string, unknown>>
  readonly retryAfter?: number
}

/** The first version that has error codes in `code`; older clients read `error_code`. */
const API_VERSION = '2024-01-01'

/** A refusal on the wire. Which of the two forms it takes follows from the version that the client names. */
export function problemWire(problem: AuthProblem, clientVersion: unknown): ProblemWire {
  const { status, code, message, extra } = problem
  const headers = {
    'x-sb-error-code': code,
    ...(problem.retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(problem.retryAfter)) }),
  }
  return isCurrent(clientVersion)
    ? {
        status,
        headers: { ...headers, 'x-supabase-api-version': API_VERSION },
        body: { code, message, ...extra },
      }
    : { status, headers, body: { code: status, error_code: code, msg: message, ...extra } }
}

export type ProblemWire = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

/** Versions are dates; anything else is not a version. */
const isCurrent = (version: unknown): boolean =>
  typeof version === 'string' && /^\d{4}-\d{2}-\d{2}$/u.test(version) && version >= API_VERSION

/** The error codes of the protocol that are used here. */
export type AuthCode =
  | 'anonymous_provider_disabled'
  | 'bad_json'
  | 'bad_jwt'
  | 'conflict'
  | 'current_password_invalid'
  | 'current_password_required'
  | 'email_address_invalid'
  | 'email_address_not_authorized'
  | 'email_exists'
  | 'email_not_confirmed'
  | 'email_provider_disabled'
  | 'feature_disabled'
  | 'flow_state_not_found'
  | 'identity_not_found'
  | 'insufficient_aal'
  | 'invalid_credentials'
  | 'manual_linking_disabled'
  | 'mfa_challenge_expired'
  | 'mfa_factor_name_conflict'
  | 'mfa_factor_not_found'
  | 'mfa_ip_address_mismatch'
  | 'mfa_phone_enroll_not_enabled'
  | 'mfa_verification_failed'
  | 'mfa_webauthn_enroll_not_enabled'
  | 'no_authorization'
  | 'not_admin'
  | 'otp_disabled'
  | 'otp_expired'
  | 'over_email_send_rate_limit'
  | 'over_request_rate_limit'
  | 'passkey_disabled'
  | 'phone_provider_disabled'
  | 'provider_disabled'
  | 'reauthentication_needed'
  | 'reauthentication_not_valid'
  | 'refresh_token_already_used'
  | 'refresh_token_not_found'
  | 'request_entity_too_large'
  | 'request_timeout'
  | 'same_password'
  | 'saml_provider_disabled'
  | 'session_expired'
  | 'session_not_found'
  | 'signup_disabled'
  | 'single_identity_not_deletable'
  | 'too_many_enrolled_mfa_factors'
  | 'unexpected_failure'
  | 'user_already_exists'
  | 'user_banned'
  | 'user_not_found'
  | 'user_sso_managed'
  | 'validation_failed'
  | 'weak_password'
  | 'web3_provider_disabled'
