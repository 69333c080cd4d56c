import type { CodeKind, Instant } from '@septet/domain'

import { htmlEscape } from '@septet/contract'
import type { Letter } from './mailer.ts'

/** What a letter tells. */
export type LetterFacts = {
  readonly kind: CodeKind
  readonly to: string
  /** Six digits. */
  readonly code: string
  /** Leads to the page that does the same as the code when its button is pressed; undefined where only the code counts. */
  readonly link: string | undefined
  /** How people reach Septet, without a trailing slash. */
  readonly siteUrl: string
  readonly expiresAt: Instant
  readonly asked: {
    readonly at: Instant
    /** Network address that the request came from. */
    readonly ip: string
    /** Who invited, or for whose account it is, where that is not the reader. */
    readonly by: string | undefined
  }
  /** Whether the account has a password; a new one can be without. */
  readonly hasPassword: boolean
  /** The address that is to become the account's. */
  readonly newEmail: string | undefined
}

/** Writes a letter as plain text and as simple HTML that says the same, without pictures and without tracking. */
export function writeLetter(facts: LetterFacts): Letter {
  const words = WORDS[facts.kind](facts)
  return {
    kind: facts.kind,
    to: facts.to,
    subject: words.subject,
    text: plainText(facts, words),
    html: html(facts, words),
  }
}

type Words = {
  readonly subject: string
  /** What was asked for, and by whom. */
  readonly why: string
  /** What the code or link does. */
  readonly does: string
  /** What to do if it was not the reader. */
  readonly otherwise: string
}

const IGNORE = 'If it was not you, do nothing: without the code nothing happens.'

/** Where nobody chose one, or it was asked for several times and each time with another. */
const NO_PASSWORD =
  'It has no password that counts: after you confirm, choose one with "Forgot password?" on the sign-in page.'

const WORDS = {
  signup: ({ siteUrl, hasPassword }) => ({
    subject: 'Confirm your address for Septet',
    why: `An account on Septet at ${siteUrl} was made with this address.${hasPassword ? '' : ` ${NO_PASSWORD}`}`,
    does: 'Enter this code to confirm that the address is yours',
    otherwise: 'If it was not you, do nothing: the code would let in the person who chose the password.',
  }),
  invite: ({ siteUrl, asked }) => ({
    subject: 'You are invited to Septet',
    why: `${asked.by ?? 'An admin'} invites you to Septet at ${siteUrl}.`,
    does: 'Enter this code to accept',
    otherwise: 'If you did not expect this, do nothing: without the code no one can use the account.',
  }),
  magiclink: ({ siteUrl }) => ({
    subject: 'Sign in to Septet',
    why: `Someone wants to sign in to Septet at ${siteUrl} with this address.`,
    does: 'Enter this code to sign in',
    otherwise: IGNORE,
  }),
  recovery: ({ siteUrl }) => ({
    subject: 'Choose a new password for Septet',
    why: `A new password for your account on Septet at ${siteUrl} was asked for.`,
    does: 'Enter this code to sign in and choose one',
    otherwise: 'If it was not you, do nothing: your password stays as it is.',
  }),
  email_change_current: ({ siteUrl, newEmail }) => ({
    subject: 'Your address on Septet is about to change',
    why: `Your account on Septet at ${siteUrl} is to move from this address to ${newEmail ?? 'another one'}.`,
    does: 'Enter this code to agree; the new address must be confirmed as well',
    otherwise:
      'If it was not you, someone else is signed in as you: change your password now. That signs out every other device and makes this code void.',
  }),
  email_change_new: ({ siteUrl, asked }) => ({
    subject: 'Confirm your new address for Septet',
    why: `${asked.by ?? 'Someone'} wants to use this address for their account on Septet at ${siteUrl}.`,
    does: 'Enter this code to confirm that the address is yours',
    otherwise: IGNORE,
  }),
  reauthentication: ({ siteUrl }) => ({
    subject: 'Your code for Septet',
    why: `Someone who is signed in as you on Septet at ${siteUrl} wants to change your password.`,
    does: 'Enter this code to allow it',
    otherwise:
      'If it was not you, someone else is signed in as you: change your password now. That signs out every other device.',
  }),
} satisfies Record<CodeKind, (facts: LetterFacts) => Words>

function plainText(facts: LetterFacts, words: Words): string {
  const link = facts.link === undefined ? [] : [`${OPEN_LINK}:`, '', facts.link, '']
  return [
    words.why,
    '',
    `${words.does}:`,
    '',
    `    ${facts.code}`,
    '',
    ...link,
    validity(facts),
    '',
    words.otherwise,
    NEVER,
    '',
    askedFrom(facts),
    '',
  ].join('\n')
}

/** Opening it alone does nothing: mail scanners open links too. */
const OPEN_LINK = 'Or open this link, in any browser, and press the button there'

const NEVER = 'No one at Septet will ever ask you for the code.'

const validity = ({ expiresAt, link }: LetterFacts): string =>
  `${link === undefined ? 'It works' : 'Either works'} once, until ${clock(expiresAt)}.`

const askedFrom = ({ asked }: LetterFacts): string =>
  `Asked for on ${clock(asked.at)} from ${asked.ip || 'an unknown address'}.`

/** `2026-11-21 17:05 UTC`: the same for every reader. */
const clock = (at: Instant): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

function html(facts: LetterFacts, words: Words): string {
  const link =
    facts.link === undefined
      ? ''
      : `<p>${OPEN_LINK}:<br><a href="${htmlEscape(facts.link)}" style="overflow-wrap:anywhere">${htmlEscape(facts.link)}</a></p>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${htmlEscape(words.subject)}</title>
</head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:32em">
<p>${htmlEscape(words.why)}</p>
<p>${htmlEscape(words.does)}:</p>
<p style="font:600 28px/1.2 ui-monospace,monospace;letter-spacing:4px">${htmlEscape(facts.code)}</p>
${link}
<p>${htmlEscape(validity(facts))}</p>
<p>${htmlEscape(words.otherwise)} ${htmlEscape(NEVER)}</p>
<p style="font-size:13px;opacity:.75">${htmlEscape(askedFrom(facts))}</p>
</div>
</body>
</html>
`
}
