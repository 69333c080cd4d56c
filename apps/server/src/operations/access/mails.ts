import type { Caller, Mail } from '@septet/domain'

import { Refusal, type InputOf, type mailsList, type OutputOf } from '@septet/contract'

import type { AccessService } from './access-service.ts'
import { isoOf } from '../answering/view.ts'

/** The outbox. With a mail server there is none to read: what was sent holds other people's links. */
export async function listMails(
  { keepsMails, access, authorized }: AccessService,
  caller: Caller,
  { limit }: InputOf<typeof mailsList>,
): Promise<OutputOf<typeof mailsList>> {
  if (!keepsMails) {
    throw new Refusal(
      'not-found',
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
}

/** Letters with a code or a link; others tell what their reader may see anyway. */
const opensAccount = (kind: Mail['kind']): boolean => kind !== 'alert' && kind !== 'report'

/** Anyone who was made an admin could otherwise ask for the owner's new password and read its code here. */
const OWNERS = "(This email opens the owner's account: only the owner reads it here, or in the log at level info.)"
