import { z } from 'zod'

import { InstantText } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { AUDIT_EXPORT_PATH, ROUTES } from '../routes.ts'

const AuditEntryView = named('AuditEntry', {
  seq: z.number().int().describe('1, 2, 3 … with no gaps'),
  at: InstantText,
  actor: z.string().describe('email address, token:NAME, or system'),
  action: z.string().describe('subject.verb'),
  object: z.string(),
  outcome: z.enum(['done', 'refused']),
  ip: z.string(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  hash: z.string().describe('SHA-256 of the entry and the previous hash, hex'),
  previousHash: z.string(),
})

export const auditList = operation(ROUTES.auditList, {
  title: 'Audit log',
  description: `Who did what and who was refused, newest first, page by page. ${AUDIT_EXPORT_PATH} gives all of it and checks its chain.`,
  input: z.strictObject({
    before: z.coerce.number().int().min(1).optional().describe('only entries with a smaller number, for paging'),
    limit: z.coerce.number().int().min(1).max(500).default(100),
    actor: z.string().optional().describe('only entries by this actor'),
    action: z.string().optional().describe('only this kind of action'),
  }),
  output: named('AuditPage', {
    entries: z.array(AuditEntryView),
    next: z.number().int().nullable().describe('`before` for the next page; null at the end'),
  }),
})

export const mailsList = operation(ROUTES.mailsList, {
  title: 'Outbox',
  description: 'Emails written while no mail server is configured, newest first; their links work.',
  input: z.strictObject({ limit: z.coerce.number().int().min(1).max(200).default(50) }),
  output: named('MailList', {
    mails: z.array(
      z.object({
        id: z.string(),
        at: InstantText,
        to: z.string(),
        kind: z.string(),
        subject: z.string(),
        text: z.string(),
        outcome: z.string(),
      }),
    ),
  }),
})
