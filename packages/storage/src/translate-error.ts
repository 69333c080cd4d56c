import { errorText } from '@septet/domain/words'
import { StoreError, errorCode, type StoreErrorCode } from './store-error.ts'

export type FailedDatabase = {
  /** Its name without the password: `db.example.com:5432/septet`. */
  readonly place: string
  /** Septet runs it itself, and starts it again when it ends. */
  readonly isOwn: boolean
  /** Something was read or written before this failure; else there is nothing yet that could go on. */
  readonly hasAnswered: boolean
}

/** Turns whatever pg, drizzle or the operating system threw into one sentence for people. */
export function translateError(thrown: unknown, database: FailedDatabase): StoreError {
  if (thrown instanceof StoreError) return thrown
  const { place } = database
  const error = innermost(thrown)
  const known = BY_CODE[errorCode(error)] ?? byClass(errorCode(error)) ?? byText(errorText(error))
  if (known === undefined) {
    return new StoreError(
      'unexpected',
      `The database ${place} refused a request (${errorText(error)}); nothing of that request was stored, ` +
        'all earlier data is there. Try again; if it stays, report it with this sentence.',
      thrown,
    )
  }
  const detail = known.quiet === true ? '' : ` (${errorText(error)})`
  const advice = known === AWAY ? adviceWhileAway(database) : known.advice
  return new StoreError(known.code, `The database ${place} ${known.what}${detail}. ${advice}`, thrown)
}

type Known = { code: StoreErrorCode; what: string; advice: string; quiet?: boolean }

const AWAY: Known = { code: 'unreachable', what: 'is not responding', advice: '' }
const CHECK_ADDRESS = 'Check that PostgreSQL runs and that DATABASE_URL names its host and port.'
const GOES_ON = 'Stored data is safe and the live view continues; nothing is written until it is back,'

function adviceWhileAway({ isOwn, hasAnswered }: FailedDatabase): string {
  if (isOwn) return `${GOES_ON} and Septet starts it again by itself.`
  if (hasAnswered) return `${GOES_ON} then Septet resumes by itself. ${CHECK_ADDRESS}`
  return `Septet has not used it yet, and nothing in it was changed. ${CHECK_ADDRESS}`
}

const REFUSED: Known = {
  code: 'refused',
  what: 'refuses to let Septet in',
  advice: 'Check user and password in DATABASE_URL and the rules in pg_hba.conf; nothing was changed.',
}
const FULL: Known = {
  code: 'disk-full',
  what: 'has no room left on its disk',
  advice:
    'Nothing of this batch was stored; all earlier data is there and can be read. ' +
    'Free or add disk space, or shorten the retention; Septet resumes by itself.',
}
const READ_ONLY: Known = {
  code: 'read-only',
  what: 'takes no writes',
  advice:
    'It is a standby or was set read-only: reads continue, nothing new is stored. Name the primary in DATABASE_URL.',
}
const BUSY: Known = {
  code: 'busy',
  what: 'is too busy for this request',
  advice: 'Nothing of the request was stored; Septet tries again with its next one.',
}
const DAMAGED: Known = {
  code: 'damaged',
  what: 'reports damaged or unreadable files',
  advice: 'Stop Septet, check the disk, and restore the database from a backup.',
}

// PostgreSQL's codes are those of its manual, appendix A.
const BY_CODE: Readonly<Record<string, Known>> = {
  ECONNREFUSED: AWAY,
  ECONNRESET: AWAY,
  ENOENT: AWAY,
  ETIMEDOUT: AWAY,
  EHOSTUNREACH: AWAY,
  ENETUNREACH: AWAY,
  ENOTFOUND: AWAY,
  EAI_AGAIN: AWAY,
  EPIPE: AWAY,
  '57P01': AWAY,
  '57P02': AWAY,
  '57P03': AWAY,
  '28000': REFUSED,
  '28P01': REFUSED,
  '3D000': {
    code: 'no-database',
    what: 'is not there',
    advice: 'Create it (createdb) with the user of DATABASE_URL as owner, or name another.',
  },
  '53100': FULL,
  '25006': READ_ONLY,
  '42501': {
    code: 'no-rights',
    what: 'does not let this user do that',
    advice: 'Make the user of DATABASE_URL the owner of the database; Septet makes its own tables there.',
  },
  '40001': BUSY,
  '40P01': BUSY,
  '42P07': {
    code: 'unusable',
    what: 'has a table of another program with a name that Septet needs',
    advice: 'Nothing was changed. Create a separate database for Septet (createdb) and name that in DATABASE_URL.',
  },
  '53300': { ...BUSY, what: 'has no free connection' },
  '55P03': BUSY,
  '57014': BUSY,
  '58030': DAMAGED,
  SPT01: {
    code: 'fenced',
    what: 'takes nothing more from this server, because another one leads now',
    advice: 'Nothing of the request was stored; the other server continues.',
    quiet: true,
  },
  XX001: DAMAGED,
  XX002: DAMAGED,
}

const byClass = (code: string): Known | undefined => (/^08...$/.test(code) ? AWAY : undefined)

// Failures to which neither pg nor Node gives a code.
function byText(text: string): Known | undefined {
  if (
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/i.test(
      text,
    )
  ) {
    return AWAY
  }
  if (/not queryable|socket hang up|Client was closed/i.test(text)) return AWAY
  if (/Query read timeout/.test(text)) return BUSY
  if (/password must be a string|SASL|no pg_hba/i.test(text)) return REFUSED
  if (/end on the pool|after calling end/.test(text)) {
    return { code: 'closed', what: 'was closed', advice: 'Septet is stopping; nothing more is stored.', quiet: true }
  }
  return undefined
}

/** drizzle wraps what pg throws, and Node wraps refused connections to several addresses of one host. */
function innermost(thrown: unknown): unknown {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return innermost(thrown.errors[0])
  if (thrown instanceof Error && thrown.cause instanceof Error && errorCode(thrown) === '') {
    return innermost(thrown.cause)
  }
  return thrown
}
