import { ProblemError } from '../../api.ts'

/** What failed and what to do, in the server's words when it has some. */
export const failureWords = (error: unknown): string =>
  error instanceof ProblemError ? `${error.problem.detail} ${error.problem.todo}` : UNREACHABLE

const UNREACHABLE = 'Cannot reach the Septet server. Check that it is running and reachable. Retrying.'
