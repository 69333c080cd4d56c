import { instant, type Account, type AccountChange, type Mail, type MailCode } from '@septet/domain'

import type { accounts, mailCodes, mails } from '../access-schema.ts'
import { longText, storableJson } from '../records/record-rows.ts'
import { storableText } from '../usage/storable.ts'
import { dateOf, exactText, maybeDate, maybeInstant, namedRow } from './row-values.ts'

/** Between accounts, codes and mails as the domain knows them and what a table row holds. */

export type AccountRow = typeof accounts.$inferSelect

export const accountRow = (account: Account): AccountRow => ({
  id: exactText(account.id),
  createdAt: dateOf(account.createdAt),
  ...changeableRow(account),
})

/** Only what the change names. */
export const accountChangeRow = (change: AccountChange): Partial<AccountRow> =>
  namedRow(changeableRow({ ...UNNAMED, ...change }), change)

export const toAccount = (row: AccountRow): Account => ({
  ...row,
  passwordHash: row.passwordHash ?? undefined,
  emailConfirmedAt: maybeInstant(row.emailConfirmedAt),
  invitedAt: maybeInstant(row.invitedAt),
  lastSignInAt: maybeInstant(row.lastSignInAt),
  bannedUntil: maybeInstant(row.bannedUntil),
  newEmail: row.newEmail ?? undefined,
  createdAt: instant(row.createdAt.getTime()),
  updatedAt: instant(row.updatedAt.getTime()),
})

type Changeable = Omit<Account, 'id' | 'createdAt'>

const changeableRow = (account: Changeable): Omit<AccountRow, 'id' | 'createdAt'> => ({
  email: exactText(account.email),
  passwordHash: maybeExact(account.passwordHash),
  appMetadata: storableJson(account.appMetadata),
  userMetadata: storableJson(account.userMetadata),
  emailConfirmedAt: maybeDate(account.emailConfirmedAt),
  invitedAt: maybeDate(account.invitedAt),
  lastSignInAt: maybeDate(account.lastSignInAt),
  bannedUntil: maybeDate(account.bannedUntil),
  newEmail: maybeExact(account.newEmail),
  mailSentAt: storableJson(account.mailSentAt),
  updatedAt: dateOf(account.updatedAt),
})

/** Stands where a change names nothing; never stored. */
const UNNAMED: Changeable = {
  email: '-',
  passwordHash: undefined,
  appMetadata: {},
  userMetadata: {},
  emailConfirmedAt: undefined,
  invitedAt: undefined,
  lastSignInAt: undefined,
  bannedUntil: undefined,
  newEmail: undefined,
  mailSentAt: {},
  updatedAt: instant(0),
}

const maybeExact = (text: string | undefined): string | null => (text === undefined ? null : exactText(text))

export type CodeRow = typeof mailCodes.$inferSelect

export const codeRow = (code: MailCode): CodeRow => ({
  id: exactText(code.id),
  accountId: exactText(code.accountId),
  kind: code.kind,
  hash: exactText(code.hash),
  sentTo: exactText(code.sentTo),
  tries: code.tries,
  createdAt: dateOf(code.createdAt),
  expiresAt: dateOf(code.expiresAt),
})

export const toCode = (row: CodeRow): MailCode => ({
  ...row,
  createdAt: instant(row.createdAt.getTime()),
  expiresAt: instant(row.expiresAt.getTime()),
})

export type MailRow = typeof mails.$inferSelect

export const mailRow = (mail: Mail): MailRow => ({
  id: exactText(mail.id),
  at: dateOf(mail.at),
  to: storableText(mail.to),
  kind: mail.kind,
  subject: longText(mail.subject),
  text: longText(mail.text),
  outcome: longText(mail.outcome),
})

export const toMail = (row: MailRow): Mail => ({ ...row, at: instant(row.at.getTime()) })
