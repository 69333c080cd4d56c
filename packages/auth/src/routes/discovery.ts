import type { FastifyInstance } from 'fastify'

import type { AuthContext } from '../auth-context.ts'

/** What a client can find out before anyone signs in: `health`, `settings` and the public keys. */
export function registerDiscovery(server: FastifyInstance, context: AuthContext): void {
  server.get('/health', () => ({
    version: 'septet',
    name: 'GoTrue',
    description: 'Septet speaks the GoTrue protocol for its own accounts',
  }))
  server.get('/settings', () => ({
    external: { email: true, phone: false, anonymous_users: false },
    disable_signup: false,
    mailer_autoconfirm: !context.config.confirmEmail,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: false,
    passkeys_enabled: false,
  }))
  server.get('/.well-known/jwks.json', async (_request, reply) => {
    const keys = await context.signingKeys.publicKeys()
    return reply.header('cache-control', 'public, max-age=600').send({ keys })
  })
}
