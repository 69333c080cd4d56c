import { z } from 'zod'

import { InstantText } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

const Address = z.string().min(3).max(320).describe('email address of the person')

export const personExport = operation(ROUTES.personExport, {
  title: 'Export a person’s data',
  description:
    'Everything Septet stores about a person, by kind: account, sessions, second factors, role, API tokens, emails, co-pilot questions, approvals, stop orders, alert notes, audit entries and the settings that name them. Passwords, hashes and secrets are never part of it. In hosted mode the account itself is in the hosted project.',
  input: z.strictObject({ email: Address }),
  output: named('PersonData', {
    email: z.string(),
    exportedAt: InstantText,
    data: z.array(
      z.object({
        kind: z.string(),
        rows: z.array(z.record(z.string(), z.unknown())).describe('as stored, one object per row'),
      }),
    ),
  }),
})

export const personForget = operation(ROUTES.personForget, {
  title: 'Delete a person’s data',
  description:
    'Deletes a person’s account, sessions, role, emails and co-pilot questions, revokes their API tokens, and removes them from scheduled reports and email channels. Where records say who did something (audit log, actions, settings), an anonymous ID takes the place of the address, so the history stays true. The audit log keeps its chain: affected entries stay in place and say that their person was forgotten. This cannot be undone.',
  input: z.strictObject({
    person: Address,
    confirm: z.string().describe('the same address again, as a confirmation'),
  }),
  output: named('PersonForgotten', {
    anonymousId: z.string().describe('what now stands in place of the address'),
    deleted: z.number().int().describe('deleted records; what belongs to an account goes with it'),
    anonymized: z.number().int().describe('records in which the address was replaced'),
    removed: z.array(z.string()).describe('channels and scheduled reports that went only to this person, now removed'),
  }),
})
