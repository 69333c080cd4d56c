import { z } from 'zod'

import { InstantText } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { NamespacesView, RoleSchema } from './sessions.ts'
import { Namespace } from './names.ts'

export const NamespacesInput = z.array(Namespace).min(1).max(200)

const MemberView = named('Member', {
  email: z.string(),
  role: RoleSchema,
  namespaces: NamespacesView,
  origin: z
    .enum(['settings', 'admin', 'groups', 'default'])
    .describe('where it was decided: SEPTET_AUTHORIZED_EMAIL, an admin, groups at the sign-in provider, or not yet'),
  admitted: z.boolean().describe('whether SEPTET_AUTHORIZED_EMAIL or their groups let them in'),
  updatedAt: InstantText.nullable().describe('when an admin decided, or when they last signed in with their groups'),
  until: InstantText.nullable().describe('until when what groups gave holds without another sign-in; null: no end'),
  lastSignInAt: InstantText.nullable().describe('null: never, or accounts are in a hosted project'),
})

export const membersList = operation(ROUTES.membersList, {
  title: 'Members',
  description:
    'Who may do what: the authorized admin first, then everyone with an account or with a role or namespaces set by an admin.',
  input: z.strictObject({}),
  output: named('MemberList', {
    authorized: z.array(z.string()).describe('who may sign up, according to SEPTET_AUTHORIZED_EMAIL'),
    invitations: z.object({
      letters: z
        .enum(['sent', 'kept', 'hosted'])
        .describe('kept: no mail server is configured, emails stay in the outbox; hosted: a hosted project sends them'),
      address: z.string().describe('where links in emails lead'),
    }),
    members: z.array(MemberView),
    unlisted: z.number().describe('how many more came in by their groups, longer ago than those that are listed'),
  }),
})

export const membersPut = operation(ROUTES.membersPut, {
  title: 'Give a member a role',
  description: 'Sets an address’s role and the only namespaces it may see. Takes effect with their next request.',
  input: z.strictObject({
    email: z.string().max(320).describe('e-mail address'),
    role: RoleSchema.describe(
      'viewer: looks; operator: also decides on recommendations; admin: also decides who gets in',
    ),
    namespaces: NamespacesInput.optional().describe('the only namespaces they may see; all if left out'),
  }),
  output: MemberView,
})

export const membersRemove = operation(ROUTES.membersRemove, {
  title: "Take a member's role back",
  description: 'Removes an admin’s decision about an address: it becomes a viewer again, if it may still sign in.',
  input: z.strictObject({ email: z.string().max(320).describe('e-mail address') }),
  output: named('MemberRemoved', { removed: z.string() }),
})
