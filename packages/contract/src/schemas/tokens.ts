import { z } from 'zod'

import { InstantText } from './figure.ts'
import { NamespacesInput } from './members.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { NamespacesView, RoleSchema } from './sessions.ts'
import { EntryName } from './names.ts'

const TokenView = named('ApiToken', {
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe('first characters of the secret, to recognize it'),
  role: RoleSchema,
  namespaces: NamespacesView,
  clusters: z.array(z.string()).nullable().describe('null = all'),
  createdBy: z.string(),
  createdAt: InstantText,
  expiresAt: InstantText.nullable().describe('null: never'),
  lastUsedAt: InstantText.nullable().describe('to the minute; null: never'),
  revokedAt: InstantText.nullable(),
  state: z.enum(['active', 'expired', 'revoked']),
})

export const tokensList = operation(ROUTES.tokensList, {
  title: 'API tokens',
  description: 'Keys for programs, newest first, without their secrets: the caller’s own, or everyone’s for an admin.',
  input: z.strictObject({}),
  output: named('ApiTokenList', { tokens: z.array(TokenView) }),
})

export const tokensCreate = operation(ROUTES.tokensCreate, {
  title: 'Create an API token',
  description:
    'A key for the command line, scrapers and agents. The secret is shown once. It can never do more than its creator can at the time of use.',
  input: z.strictObject({
    name: EntryName.describe('what it is for; appears in the audit log as token:NAME'),
    role: RoleSchema.default('viewer').describe('at most the caller’s own role'),
    namespaces: NamespacesInput.optional().describe('the only namespaces it may see; the caller’s if left out'),
    clusters: z
      .array(z.string())
      .min(1)
      .max(100)
      .optional()
      .describe('IDs of the only clusters it may see; all if left out'),
    expiresInDays: z
      .number()
      .int()
      .min(1)
      .max(3650)
      .nullable()
      .default(90)
      .describe('days until it expires; null: never'),
  }),
  output: named('ApiTokenMade', { token: TokenView, secret: z.string().describe('shown once') }),
})

export const tokensRevoke = operation(ROUTES.tokensRevoke, {
  title: 'Revoke an API token',
  description: 'Ends a token immediately: the caller’s own, or anyone’s for an admin. A token may end itself.',
  input: z.strictObject({ id: z.string().describe('token ID; self: the token that asks') }),
  output: named('ApiTokenRevoked', { revoked: z.string() }),
})
