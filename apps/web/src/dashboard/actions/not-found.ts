import { ProblemError } from '../../api.ts'

/** The server knows no such thing (any more). */
export const isNotFound = (error: Error | null): boolean =>
  error instanceof ProblemError && error.problem.code === 'not-found'
