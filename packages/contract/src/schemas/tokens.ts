import { z } from 'zod'

import { InstantText } from './figure.ts'
import { NamespacesInput } from './members.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { NamespacesView, RoleSchema } from './sessions.ts'

const TokenView = named('ApiToken', {
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe('first characters of the secret, to recognize it by'),
  role: RoleSchema,
  namespaces: NamespacesView,
  clusters: z.array(z.string()).nullable().describe('null = all'),
  createdBy: z.string(),
  createdAt: InstantText,
  expiresAt: InstantText.nullable().describe('null = never'),
  lastUsedAt: InstantText.nullable().describe('to the minute; null = never'),
  revokedAt: InstantText.nullable(),
  state: z.enum(['active', 'expired', 'revoked']),
})

export const tokensList = operation(ROUTES.tokensList, {
  title: 'API tokens',
  description: 'Keys for programs, newest first, without their secrets: the caller’s own, and everyone’s for an admin.',
  input: z.strictObject({}),
  output: named('ApiTokenList', { tokens: z.array(TokenView) }),
})

export const tokensCreate = operation(ROUTES.tokensCreate, {
  title: 'Make an API token',
  description:
    'A key for the command line, scrapers and agents. Its secret is shown once. It may never do more than who made it may at that time.',
  input: z.strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/u)
      .describe('what it is for; stands in the audit log as token:NAME'),
    role: RoleSchema.default('viewer').describe('at most that of the caller'),
    namespaces: NamespacesInput.optional().describe('the only ones it sees; those of the caller when left out'),
    clusters: z
      .array(z.string())
      .min(1)
      .max(100)
      .optional()
      .describe('ids of the only clusters it sees; all when left out'),
    expiresInDays: z
      .number()
      .int()
      .min(1)
      .max(3650)
      .nullable()
      .default(90)
      .describe('days until it ends; null = it does not end'),
  }),
  output: named('ApiTokenMade', { token: TokenView, secret: z.string().describe('shown now and never again') }),
})

export const tokensRevoke = operation(ROUTES.tokensRevoke, {
  title: 'Revoke an API token',
  description: 'Ends a token at once: the caller’s own, or anyone’s for an admin.',
  input: z.strictObject({ id: z.string().describe('id of the token') }),
  output: named('ApiTokenRevoked', { revoked: z.string() }),
})
