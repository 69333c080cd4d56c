import { randomInt, randomUUID } from 'node:crypto'

import { instant, type CodeKind, type Instant, type MailCode, HOUR_MS } from '@septet/domain'

import type { AuthContext } from './auth-context.ts'
import { sameText } from './same-text.ts'

type CodeContext = Pick<AuthContext, 'access' | 'secrets' | 'now'>

export type CodeWish = {
  readonly accountId: string
  readonly kind: CodeKind
  readonly sentTo: string
}
export type IssuedCode = {
  /** Six digits. */
  readonly code: string
  /** What a link carries instead: `token_hash` on the wire. */
  readonly linkToken: string
  readonly expiresAt: Instant
}

/** Makes a code, once usable within the hour, in place of the account's last one of that kind. */
export async function issueCode(context: CodeContext, wish: CodeWish): Promise<IssuedCode> {
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
  const token = linkTokenOf(context, wish, code)
  const createdAt = context.now()
  const expiresAt = instant(createdAt + CODE_LIFE)
  const { accountId, kind, sentTo } = wish
  const hash = storedHash(context, token)
  await context.access.codes.put({
    id: randomUUID(),
    accountId,
    kind,
    hash,
    sentTo,
    tries: 0,
    createdAt,
    expiresAt,
  })
  return { code, linkToken: token, expiresAt }
}

/**
 * Takes the code of one of these kinds that was sent to the address: once, and undefined after five wrong tries. Each try
 * is counted before it is compared, so many at once are no more than many in turn.
 */
export async function takeByCode(
  context: CodeContext,
  kinds: readonly CodeKind[],
  { address, code }: { readonly address: string; readonly code: string },
): Promise<MailCode | undefined> {
  for (const kind of kinds) {
    for (const found of await context.access.codes.sentTo(address, kind)) {
      const tries = await context.access.codes.countTry(found.id)
      const isRight = sameText(found.hash, storedHash(context, linkTokenOf(context, found, code)))
      if (tries >= 1 && tries <= MOST_TRIES && isRight) return takeFresh(context, found)
    }
  }
  return undefined
}

/**
 * Takes the code of one of these kinds that a link stands for, once. A link cannot be guessed, so wrong tries at the
 * digits do not void it: a stranger could otherwise keep the reader of a letter out.
 */
export async function takeByLink(
  context: CodeContext,
  kinds: readonly CodeKind[],
  linkToken: string,
): Promise<MailCode | undefined> {
  if (!/^[0-9a-f]{64}$/u.test(linkToken)) return undefined
  const found = await context.access.codes.byHash(storedHash(context, linkToken))
  return found !== undefined && kinds.includes(found.kind) ? takeFresh(context, found) : undefined
}

/** One hour, milliseconds. */
const CODE_LIFE = HOUR_MS
const DIGITS = 6
const MOST_TRIES = 5

const takeFresh = async (context: CodeContext, found: MailCode): Promise<MailCode | undefined> =>
  (await context.access.codes.take(found.id)) && found.expiresAt > context.now() ? found : undefined

const linkTokenOf = (
  { secrets }: CodeContext,
  of: Pick<MailCode, 'accountId' | 'kind' | 'sentTo'>,
  code: string,
): string => secrets.keyedHash('mail-code', JSON.stringify([of.accountId, of.kind, of.sentTo, code]))

/** Hashed once more, so that a copy of the database holds no link that works. */
const storedHash = ({ secrets }: CodeContext, token: string): string => secrets.keyedHash('mail-code/stored', token)
