import { z } from 'zod'

import { InstantText } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { NamespacesView, RoleSchema } from './sessions.ts'

/** A namespace is a DNS label (RFC 1123). */
export const NamespacesInput = z
  .array(z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/u))
  .min(1)
  .max(200)

const MemberView = named('Member', {
  email: z.string(),
  role: RoleSchema,
  namespaces: NamespacesView,
  origin: z
    .enum(['settings', 'admin', 'default'])
    .describe('who decided: SEPTET_AUTHORIZED_EMAIL, an admin, or nobody yet'),
  admitted: z.boolean().describe('whether SEPTET_AUTHORIZED_EMAIL lets them in'),
  updatedAt: InstantText.nullable().describe('when an admin decided'),
  lastSignInAt: InstantText.nullable().describe('null when never, or when a hosted project holds the accounts'),
})

export const membersList = operation(ROUTES.membersList, {
  title: 'Members',
  description:
    'Who may do what: the authorized admin first, then everyone whom an admin gave a role or namespaces, and who has an account.',
  input: z.strictObject({}),
  output: named('MemberList', {
    authorized: z.array(z.string()).describe('who may sign up, as SEPTET_AUTHORIZED_EMAIL says it'),
    invitations: z.object({
      letters: z
        .enum(['sent', 'kept', 'hosted'])
        .describe('kept: no mail server is set, they stay in the outbox; hosted: a hosted project writes them'),
      address: z.string().describe('where their links lead'),
    }),
    members: z.array(MemberView),
  }),
})

export const membersPut = operation(ROUTES.membersPut, {
  title: 'Give a member a role',
  description: 'Sets the role of an address and the only namespaces that it sees. It holds with their next request.',
  input: z.strictObject({
    email: z.string().max(320).describe('e-mail address'),
    role: RoleSchema.describe('viewer looks; operator also decides on recommendations; admin also decides who gets in'),
    namespaces: NamespacesInput.optional().describe('the only ones they see; all when left out'),
  }),
  output: MemberView,
})

export const membersRemove = operation(ROUTES.membersRemove, {
  title: "Take a member's role back",
  description: 'Removes what an admin decided about an address: it is a viewer again, as far as it is still admitted.',
  input: z.strictObject({ email: z.string().max(320).describe('e-mail address') }),
  output: named('MemberRemoved', { removed: z.string() }),
})
