import type { auditList, InputOf, OutputOf } from '@septet/contract'
import type { AuditEntry } from '@septet/domain'

import type { AccessService } from './access-service.ts'
import { isoOf } from '../answering/view.ts'

export type AuditEntryView = OutputOf<typeof auditList>['entries'][number]

/** One page of the audit log, newest first. */
export async function listAudit(
  { access }: AccessService,
  { before, limit, actor, action }: InputOf<typeof auditList>,
): Promise<OutputOf<typeof auditList>> {
  const entries = await access.audit.list({
    limit: limit + 1,
    ...(before === undefined ? {} : { before }),
    ...(actor === undefined ? {} : { actor }),
    ...(action === undefined ? {} : { action }),
  })
  const page = entries.slice(0, limit)
  return { entries: page.map(auditEntryView), next: entries.length > limit ? (page.at(-1)?.seq ?? null) : null }
}

/** An entry on the wire. */
export const auditEntryView = (entry: AuditEntry): AuditEntryView => ({
  seq: entry.seq,
  at: isoOf(entry.at),
  actor: entry.actor,
  action: entry.action,
  object: entry.object,
  outcome: entry.outcome,
  ip: entry.ip,
  details: { ...entry.details },
  hash: entry.hash,
  previousHash: entry.previousHash,
})
