import { type auditList, type OutputOf, notFound } from '@septet/contract'
import type { AuditEntry, Mail } from '@septet/domain'

import type { AccessService } from './access-service.ts'
import { isoOf } from '../answering/view.ts'
import type { AnswersOf } from '../answering/answering.ts'

export type AuditEntryView = OutputOf<typeof auditList>['entries'][number]

/** What was done, and what was written to whom. */
export const recordAnswers = ({
  service,
}: {
  readonly service: AccessService
}): AnswersOf<'auditList' | 'mailsList'> => ({
  /** One page of the audit log, newest first. */
  async auditList({ before, limit, actor, action }) {
    const entries = await service.access.audit.list({
      limit: limit + 1,
      ...(before === undefined ? {} : { before }),
      ...(actor === undefined ? {} : { actor }),
      ...(action === undefined ? {} : { action }),
    })
    const page = entries.slice(0, limit)
    return { entries: page.map(auditEntryView), next: entries.length > limit ? (page.at(-1)?.seq ?? null) : null }
  },
  /** The outbox. With a mail server there is none to read: what was sent holds other people's links. */
  async mailsList({ limit }, { caller }) {
    const { keepsMails, access, authorized } = service
    if (!keepsMails) {
      throw notFound(
        'There is no outbox: emails are sent by a mail server or by the hosted project.',
        'Ask the recipients to check their inbox; the audit log shows what was sent.',
      )
    }
    const mails = await access.mails.list(limit)
    const isOwner = caller.kind === 'account' && caller.name === authorized[0]
    return {
      mails: mails.map(({ at, text, ...mail }) => {
        const isSecret = !isOwner && mail.to === authorized[0] && opensAccount(mail.kind)
        return { ...mail, at: isoOf(at), text: isSecret ? OWNERS : text }
      }),
    }
  },
})

/** Letters with a code or a link; others tell what their reader may see anyway. */
const opensAccount = (kind: Mail['kind']): boolean => kind !== 'alert' && kind !== 'report'

/** Anyone who was made an admin could otherwise ask for the owner's new password and read its code here. */
const OWNERS = "(This email opens the owner's account: only the owner reads it here, or in the log at level info.)"

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
