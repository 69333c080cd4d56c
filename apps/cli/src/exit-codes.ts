import { AskError } from './served/ask-server.ts'
import { UsageError } from './options/command-options.ts'

/** How every command ends; `docs/command-line.md` has the same table. */
const EXIT = { done: 0, failed: 1, usage: 2, refused: 3, 'not-signed-in': 4, unreachable: 5, interrupted: 130 } as const

/** Ended with Ctrl-C by whoever waited for it. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** The exit code for what a command threw. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage
  if (error instanceof Interrupted) return EXIT.interrupted
  if (!(error instanceof AskError)) return EXIT.failed
  if (error.status === undefined) return EXIT.unreachable
  if (error.status === 400) return EXIT.usage
  if (error.status === 401) return EXIT['not-signed-in']
  return REFUSED.has(error.status) ? EXIT.refused : EXIT.failed
}

const REFUSED: ReadonlySet<number> = new Set([403, 409, 429, 503])
