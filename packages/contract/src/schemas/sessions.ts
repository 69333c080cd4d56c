import { ROLES } from '@septet/domain'
import { z } from 'zod'

import { InstantText } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

export const RoleSchema = z.enum(ROLES)
export const NamespacesView = z.array(z.string()).nullable().describe('null = all')

export const sessionMe = operation(ROUTES.sessionMe, {
  title: 'Who I am',
  description: 'Who the caller is, and what they may see and do.',
  input: z.strictObject({}),
  output: named('Me', {
    kind: z.enum(['account', 'token', 'visitor']),
    name: z.string().describe('email address, token:NAME, or visitor'),
    role: RoleSchema,
    namespaces: NamespacesView,
    clusters: z.array(z.string()).nullable().describe('IDs, including sample data; null: all'),
    mode: z.enum(['embedded', 'hosted']).describe('whether Septet or a hosted project holds the accounts'),
    session: z.string().nullable().describe('session ID; null for tokens and visitors'),
    secondFactor: z
      .boolean()
      .nullable()
      .describe('whether the account has a second factor; null for tokens and visitors'),
    expiresAt: InstantText.nullable().describe(
      'when the API token expires; null for one that does not, and for others',
    ),
  }),
})

export const sessionsList = operation(ROUTES.sessionsList, {
  title: 'My sessions',
  description: 'Where the caller is signed in, most recently used first. Empty for tokens and visitors.',
  input: z.strictObject({}),
  output: named('SessionList', {
    sessions: z.array(
      z.object({
        id: z.string(),
        current: z.boolean().describe('the session making this request'),
        createdAt: InstantText,
        refreshedAt: InstantText,
        userAgent: z.string(),
        ip: z.string(),
        secondFactor: z.boolean().describe('whether a second factor was used'),
        endsAt: InstantText.nullable(),
      }),
    ),
  }),
})

export const signingKeysRotate = operation(ROUTES.signingKeysRotate, {
  title: 'Rotate the signing key',
  description:
    'Creates a new key that signs access tokens. Tokens signed with the previous key stay valid until they expire, at most an hour. With `leaked` they are refused immediately; people who are signed in get new ones without noticing.',
  input: z.strictObject({
    leaked: z.boolean().default(false).describe('whether tokens signed with any earlier key are refused immediately'),
  }),
  output: named('SigningKeyRotated', {
    kid: z.string().describe('ID of the current signing key'),
    verifying: z.array(z.string()).describe('IDs of earlier keys whose tokens are still accepted'),
  }),
})

export const sessionsRevoke = operation(ROUTES.sessionsRevoke, {
  title: 'End one of my sessions',
  description: 'Signs the caller out on one device, immediately.',
  input: z.strictObject({ id: z.string().describe('session ID') }),
  output: named('SessionRevoked', { revoked: z.string() }),
})
