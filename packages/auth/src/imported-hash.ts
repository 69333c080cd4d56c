import { AuthProblem } from './auth-problem.ts'

/**
 * Refuses a password hash that was made elsewhere unless it is argon2id or argon2i in PHC form and no dearer to check than
 * the bounds below: whoever signs in makes the server do that work.
 */
export function needArgon2Hash(text: string): string {
  const [, memory, passes, lanes] = (PHC.exec(text) ?? []).map(Number)
  if (memory === undefined || passes === undefined || lanes === undefined) {
    throw refused('must be argon2id or argon2i in PHC form ($argon2id$v=19$m=...,t=...,p=...$salt$hash)')
  }
  if (memory > MOST_KIB || passes > MOST_PASSES || lanes > MOST_LANES || memory < 8 * lanes) {
    throw refused(`must use at most ${MOST_KIB} KiB, ${MOST_PASSES} passes and ${MOST_LANES} lanes`)
  }
  return text
}

const PHC =
  /^\$argon2id?\$v=19\$m=([1-9]\d{0,6}),t=([1-9]\d{0,2}),p=([1-9]\d?)\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/u
const MOST_KIB = 65_536
const MOST_PASSES = 10
const MOST_LANES = 8

const refused = (what: string): AuthProblem =>
  new AuthProblem(400, 'validation_failed', `Field "password_hash" ${what}`)
