import { AuthProblem } from './auth-problem.ts'
import { isCommonPassword, SIGNS } from './common-passwords.ts'

/** Characters that a new password must have. */
const LEAST_CHARACTERS = 12
/** Octets that a password may have: passphrases fit, and hashing one costs nothing. */
const MOST_OCTETS = 1024
/** Characters that must be left once everything guessable at a glance was counted short. */
const LEAST_STRENGTH = 8

export type WeaknessReason = 'length' | 'characters' | 'pwned'

/** Refuses a password that may not be chosen: 422 `weak_password` with reasons, or 400 for one that is too long. */
export async function needGoodPassword(password: string, email: string): Promise<void> {
  if (isTooLong(password)) {
    throw new AuthProblem(400, 'validation_failed', `Password cannot be longer than ${MOST_OCTETS} bytes`)
  }
  const reason = await weaknessOf(password, email)
  if (reason === undefined) return
  throw new AuthProblem(422, 'weak_password', {
    message: MESSAGES[reason],
    extra: { weak_password: { reasons: [reason] } },
  })
}

/** More than is ever hashed, also at sign-in. */
export const isTooLong = (password: string): boolean => Buffer.byteLength(password) > MOST_OCTETS

const UNRELATED = 'Use a few unrelated words, or let a password manager make one.'
const MESSAGES = {
  length: `Password should be at least ${LEAST_CHARACTERS} characters.`,
  characters: `Password is too easy to guess: it is mostly a common word, a sequence, a repetition or your address. ${UNRELATED}`,
  pwned: `Password is too easy to guess: it is one that many people have, or two of those in a row. ${UNRELATED}`,
} as const satisfies Record<WeaknessReason, string>

/** Why a password is weak, as the protocol names it; undefined when it is not. */
export async function weaknessOf(password: string, email: string): Promise<WeaknessReason | undefined> {
  if (Array.from(password).length < LEAST_CHARACTERS) return 'length'
  if (strengthOf(password, email) < LEAST_STRENGTH) return 'characters'
  return isKnownPhrase(password) || (await isCommonPassword(password)) ? 'pwned' : undefined
}

/** How many characters a password really has: a well-known word, the own address, a run such as `4567` or `asdf` and a repetition count as one or two. */
function strengthOf(password: string, email: string): number {
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  const known = [email.toLowerCase(), local, domain, ...domain.split('.'), ...COMMON]
    .filter((word) => word.length >= 4)
    .toSorted((a, b) => b.length - a.length)
  let rest = plain(password.toLowerCase())
  for (const word of known) rest = rest.replaceAll(plain(word), '\u0001')
  return shortened(rest)
}

/** Letters that are commonly written as signs count as the letter. */
const plain = (text: string): string => text.replaceAll(/[@4310$57]/gu, (sign) => SIGNS.get(sign) ?? sign)
const COMMON = (
  'password passwort passphrase septet admin administrator welcome letmein login secret changeme ' +
  'default kubernetes nvidia dragon monkey football baseball iloveyou sunshine princess master superman ' +
  'batman trustno summer winter spring autumn hello test user root qwertz azerty'
).split(' ')

/** Phrases that everyone knows as examples of good ones, without what stands between their words. */
const KNOWN_PHRASES = ['correcthorsebatterystaple', 'thequickbrownfoxjumps']
const isKnownPhrase = (password: string): boolean => {
  const letters = password.toLowerCase().replaceAll(/[^a-z]/gu, '')
  return KNOWN_PHRASES.some((phrase) => letters.startsWith(phrase))
}

/** Neighbors in the alphabet and on a keyboard, along its rows and down its columns, in the spelling that `plain` leaves. */
const ROWS = (
  'abcdefghijklmnopqrstuvwxyz qwertyuiop asdfghjkl zxcvbnm 01234567890 !@#$%^&*() 1qaz 2wsx 3edc 4rfv 5tgb 6yhn 7ujm ' +
  '8ik 9ol 0p !qaz @wsx #edc $rfv %tgb ^yhn &ujm *ik (ol )p'
)
  .split(' ')
  .map(plain)

function shortened(text: string): number {
  const once = text.replaceAll(/(.{1,12}?)\1+/gu, '$1')
  const characters = Array.from(once)
  const fresh = characters.filter((character, index) => !isNext(characters[index - 1], character)).length
  return Math.min(fresh, new Set(characters).size * 2)
}

/** Whether a character only goes on from the one before, forwards or backwards. */
const isNext = (before: string | undefined, character: string): boolean =>
  before !== undefined && ROWS.some((row) => row.includes(before + character) || row.includes(character + before))
