import type { SsoProblemCode } from '@septet/contract'
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'

import { SsoProblem } from './sso-problem.ts'

/** What is wrong with an answer of a provider, or with its silence. Errors of another kind are given back as they are. */
export function oidcProblem(error: unknown): unknown {
  const code = codeOf(error)
  return code === undefined ? error : new SsoProblem(code, chainOf(error), { cause: error })
}

function codeOf(error: unknown): SsoProblemCode | undefined {
  if (error instanceof SsoProblem) return undefined
  if (error instanceof AuthorizationResponseError) return BY_ANSWER.get(error.error) ?? 'unclear'
  if (error instanceof ResponseBodyError) return BY_TOKEN_ENDPOINT.get(error.error) ?? 'unclear'
  if (error instanceof WWWAuthenticateChallengeError) return 'refused-client'
  // What `fetch` throws when nobody answers.
  if (error instanceof TypeError) return 'away'
  return error instanceof ClientError ? byCheck(error) : undefined
}

const byCheck = (error: ClientError): SsoProblemCode => BY_CHECK.get(error.code)?.(error) ?? 'unclear'

/** What the provider says instead of a code (OpenID Connect Core 1.0, section 3.1.2.6). */
const BY_ANSWER = new Map<string, SsoProblemCode>([
  ['access_denied', 'denied'],
  ['login_required', 'denied'],
  ['consent_required', 'denied'],
  ['interaction_required', 'denied'],
  ['account_selection_required', 'denied'],
  ['server_error', 'away'],
  ['temporarily_unavailable', 'away'],
])

/** RFC 6749, section 5.2. */
const BY_TOKEN_ENDPOINT = new Map<string, SsoProblemCode>([
  ['invalid_client', 'refused-client'],
  ['unauthorized_client', 'refused-client'],
  ['invalid_grant', 'late'],
])

const BY_CLAIM = new Map<unknown, SsoProblemCode>([
  ['iss', 'wrong-issuer'],
  ['aud', 'wrong-audience'],
  ['azp', 'wrong-audience'],
  ['nonce', 'wrong-nonce'],
])

/** Which check of the library failed. Its codes are few, so what was looked at decides. */
const BY_CHECK = new Map<unknown, (error: ClientError) => SsoProblemCode>([
  ['OAUTH_TIMEOUT', () => 'away'],
  [
    'OAUTH_RESPONSE_IS_NOT_CONFORM',
    ({ cause }) => (cause instanceof Response && cause.status >= 500 ? 'away' : 'unclear'),
  ],
  ['OAUTH_JWT_TIMESTAMP_CHECK_FAILED', () => 'wrong-time'],
  ['OAUTH_KEY_SELECTION_FAILED', () => 'wrong-signature'],
  ['OAUTH_JWT_CLAIM_COMPARISON_FAILED', (error) => BY_CLAIM.get(factOf(error, 'claim')) ?? 'unclear'],
  [
    'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
    (error) => (factOf(error, 'attribute') === 'issuer' ? 'wrong-issuer' : 'unclear'),
  ],
  ['OAUTH_INVALID_RESPONSE', (error) => byWords(chainOf(error))],
])

function byWords(text: string): SsoProblemCode {
  if (/signature|"alg"/u.test(text)) return 'wrong-signature'
  if (text.includes('"iss"')) return 'wrong-issuer'
  return 'unclear'
}

/** A fact that the library keeps with an error, however deep. */
function factOf(error: unknown, name: string): unknown {
  if (typeof error !== 'object' || error === null) return undefined
  const own: unknown = Object.entries(error).find(([key]) => key === name)?.[1]
  return own ?? ('cause' in error ? factOf(error.cause, name) : undefined)
}

/** The messages of an error and of what caused it. */
function chainOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const cause = chainOf(error.cause)
  return cause === '' ? error.message : `${error.message}: ${cause}`
}
