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
  description: 'Who Septet takes the caller for, and what they may see and do.',
  input: z.strictObject({}),
  output: named('Me', {
    kind: z.enum(['account', 'token', 'visitor']),
    name: z.string().describe('e-mail address, token:NAME, or visitor'),
    role: RoleSchema,
    namespaces: NamespacesView,
    clusters: z.array(z.string()).nullable().describe('ids, sample data among them; null = all'),
    mode: z.enum(['embedded', 'hosted']).describe('whether Septet or a hosted project holds the accounts'),
    session: z.string().nullable().describe('id of the session; null for tokens and visitors'),
    secondFactor: z.boolean().nullable().describe('whether the account has one; null for tokens and visitors'),
  }),
})

export const sessionsList = operation(ROUTES.sessionsList, {
  title: 'My sessions',
  description: 'Where the caller is signed in, newest use first. Empty for tokens and visitors.',
  input: z.strictObject({}),
  output: named('SessionList', {
    sessions: z.array(
      z.object({
        id: z.string(),
        current: z.boolean().describe('the one that asks'),
        createdAt: InstantText,
        refreshedAt: InstantText,
        userAgent: z.string(),
        ip: z.string(),
        secondFactor: z.boolean().describe('whether a second factor was shown'),
        endsAt: InstantText.nullable(),
      }),
    ),
  }),
})

export const signingKeysRotate = operation(ROUTES.signingKeysRotate, {
  title: 'Sign with a new key',
  description:
    'Makes a new key that signs access tokens. Tokens of the one before are good until they end, an hour at most; with `leaked` they are refused from now on, and people who are signed in get new ones without noticing.',
  input: z.strictObject({
    leaked: z.boolean().default(false).describe('whether tokens of all keys before are refused at once'),
  }),
  output: named('SigningKeyRotated', {
    kid: z.string().describe('id of the key that signs now'),
    verifying: z.array(z.string()).describe('ids of keys before it whose tokens are still taken'),
  }),
})

export const sessionsRevoke = operation(ROUTES.sessionsRevoke, {
  title: 'End one of my sessions',
  description: 'Signs the caller out on one device, at once.',
  input: z.strictObject({ id: z.string().describe('id of the session') }),
  output: named('SessionRevoked', { revoked: z.string() }),
})
