import { StoreError, errorCode } from '../store-error.ts'

/** What belongs to an account or factor cannot come after it has gone. */
export const ownerGone = (cause?: unknown): StoreError =>
  new StoreError(
    'unexpected',
    'The account or factor that this belongs to was removed meanwhile, so nothing was stored. Sign in again.',
    cause,
  )

/** Something with this id, hash or name is there. */
export const alreadyThere = (cause?: unknown): StoreError =>
  new StoreError(
    'unexpected',
    'Something with this id, hash or name already exists, so nothing was stored or changed.',
    cause,
  )

/** PostgreSQL refused a value that another row has (its manual, appendix A). */
export const isTaken = (error: unknown): boolean => codeOf(error) === '23505'
export const isOwnerGone = (error: unknown): boolean => codeOf(error) === '23503'

/** drizzle wraps what pg throws. */
const codeOf = (error: unknown): string =>
  errorCode(error) === '' && error instanceof Error ? errorCode(error.cause) : errorCode(error)
