/** What kind of failure it was; stable words for machines. */
export type StoreErrorCode =
  | 'unreachable'
  | 'refused'
  | 'no-database'
  | 'disk-full'
  | 'read-only'
  | 'too-old'
  | 'too-new'
  | 'no-rights'
  | 'busy'
  | 'damaged'
  | 'in-use'
  | 'fenced'
  | 'unusable'
  | 'closed'
  | 'unexpected'

/** A failure of the store in words for people: what failed, what still works, what to do. `cause` has the original. */
export class StoreError extends Error {
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'StoreError'
    this.code = code
  }
}

/** The operating system's or PostgreSQL's code of a thrown value (`ECONNREFUSED`, `53100`), else an empty text. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}
