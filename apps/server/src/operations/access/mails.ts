import { Refusal, type InputOf, type mailsList, type OutputOf } from '@septet/contract'

import type { AccessService } from './access-service.ts'
import { isoOf } from '../answering/view.ts'

/** The outbox. With a mail server there is none to read: what was sent holds other people's links. */
export async function listMails(
  { keepsMails, access }: AccessService,
  { limit }: InputOf<typeof mailsList>,
): Promise<OutputOf<typeof mailsList>> {
  if (!keepsMails) {
    throw new Refusal(
      'not-found',
      'There is no outbox: mails are sent by a mail server or by the hosted project.',
      'Ask the people who wait for a mail to look there; the audit log tells what was sent.',
    )
  }
  const mails = await access.mails.list(limit)
  return { mails: mails.map(({ at, ...mail }) => ({ ...mail, at: isoOf(at) })) }
}
