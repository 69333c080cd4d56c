import { ProblemError } from '../../api.ts'

/** What failed and what to do, in the server's words when it has some. */
export const failureWords = (error: unknown): string =>
  error instanceof ProblemError ? `${error.problem.detail} ${error.problem.todo}` : UNREACHABLE

const UNREACHABLE =
  'The Septet server does not answer. Check that it runs and that this computer reaches it; the page tries again by itself.'
