import type { FastifyInstance, HTTPMethods } from 'fastify'

import { AuthProblem, type AuthCode } from '../auth-problem.ts'

/** Parts of the protocol that are not offered here, each with the answer that its clients know. */
export function registerNotOffered(server: FastifyInstance): void {
  for (const [method, url, status, code, message] of NOT_OFFERED) {
    server.route({
      method,
      url,
      handler: () => {
        throw new AuthProblem(status, code, message)
      },
    })
  }
}

const ANY: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const NO_PROVIDER = 'Unsupported provider: provider is not enabled'
const NO_SAML = 'SAML 2.0 is disabled'
const NO_LINKING = 'Manual linking is disabled'
const NO_PASSKEYS = 'Passkeys are disabled'
const NO_OAUTH_SERVER = 'OAuth server is disabled'

const NOT_OFFERED: readonly (readonly [HTTPMethods | HTTPMethods[], string, number, AuthCode, string])[] = [
  ['GET', '/authorize', 400, 'validation_failed', NO_PROVIDER],
  [['GET', 'POST'], '/callback', 400, 'validation_failed', NO_PROVIDER],
  ['POST', '/sso', 404, 'saml_provider_disabled', NO_SAML],
  [ANY, '/saml/*', 404, 'saml_provider_disabled', NO_SAML],
  ['GET', '/user/identities/authorize', 404, 'manual_linking_disabled', NO_LINKING],
  ['DELETE', '/user/identities/:id', 404, 'manual_linking_disabled', NO_LINKING],
  [ANY, '/passkeys', 404, 'passkey_disabled', NO_PASSKEYS],
  [ANY, '/passkeys/*', 404, 'passkey_disabled', NO_PASSKEYS],
  [ANY, '/user/oauth/*', 404, 'feature_disabled', NO_OAUTH_SERVER],
  [ANY, '/oauth/*', 404, 'feature_disabled', NO_OAUTH_SERVER],
]
