import { AskError } from './served/ask-server.ts'
import { UsageError } from './options/command-options.ts'

/** How every command ends; `docs/command-line.md` has the same table. */
const EXIT = { done: 0, failed: 1, usage: 2, refused: 3, 'not-signed-in': 4, unreachable: 5 } as const

/** The exit code for what a command threw. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage
  if (!(error instanceof AskError)) return EXIT.failed
  if (error.status === undefined) return EXIT.unreachable
  return BY_STATUS[error.status] ?? EXIT.failed
}

const BY_STATUS: Readonly<Record<number, number>> = {
  400: EXIT.usage,
  401: EXIT['not-signed-in'],
  403: EXIT.refused,
  409: EXIT.refused,
  429: EXIT.refused,
  503: EXIT.refused,
}
