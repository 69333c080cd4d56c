import type { CodeChallenge } from '@septet/domain'
import { z } from 'zod'

import { AuthProblem } from './auth-problem.ts'

/** The two fields by which a browser announces that it will prove itself later (PKCE, RFC 7636, section 4.3). */
export const ChallengeFields = z.object({
  code_challenge: z.string().nullish(),
  code_challenge_method: z.string().nullish(),
})

/** The challenge of a request, if it has one. Throws 400 `validation_failed` for half a challenge or a malformed one. */
export function readChallenge(fields: z.infer<typeof ChallengeFields>): CodeChallenge | undefined {
  const value = fields.code_challenge ?? ''
  const method = (fields.code_challenge_method ?? '').toLowerCase()
  if (value === '' && method === '') return undefined
  if (value === '' || method === '') {
    throw invalid('PKCE flow requires code_challenge_method and code_challenge')
  }
  if (!UNRESERVED.test(value)) {
    throw invalid(
      'code challenge has to be between 43 and 128 letters, digits, hyphens, periods, underscores or tildes',
    )
  }
  if (method !== 's256' && method !== 'plain') throw invalid('code challenge method has to be s256 or plain')
  return { value, method }
}

/** RFC 7636, sections 4.1 and 4.2; the same holds for a verifier. */
export const UNRESERVED = /^[A-Za-z0-9\-._~]{43,128}$/u

const invalid = (message: string): AuthProblem => new AuthProblem(400, 'validation_failed', message)
