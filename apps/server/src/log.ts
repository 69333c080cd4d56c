import type { Log } from '@septet/domain'
import { pino } from 'pino'

const SECRET_FIELDS = ['token', 'password', 'authorization', 'kubeconfig', '*.token', '*.password', '*.authorization']

/**
 * Facts with fields, one JSON object a line, on standard error so that standard output stays for people. `told` hears each
 * line too.
 */
export function openLog(level: string, told: (line: string) => void = () => undefined): Log {
  const standardError = pino.destination({ dest: 2, sync: true })
  const out = pino(
    { level, redact: { paths: SECRET_FIELDS, censor: '(hidden)' } },
    {
      write(line) {
        standardError.write(line)
        told(line.trimEnd())
      },
    },
  )
  return {
    info: (message, fields) => out.info(fields ?? {}, message),
    warn: (message, fields) => out.warn(fields ?? {}, message),
    error: (message, fields) => out.error(fields ?? {}, message),
  }
}

/** Of this many lines the last are kept for a look at what went before. */
const MOST_LINES = 1000
/** Of a longer line the rest is not kept, characters. */
const LONGEST_LINE = 4000

/** The last lines of the log, in memory. */
export class KeptLines {
  #lines: string[] = []

  add = (line: string): void => {
    this.#lines.push(line.slice(0, LONGEST_LINE))
    // Cut once in a while: to move all of them for each line would cost more than twice the room.
    if (this.#lines.length > 2 * MOST_LINES) this.#lines = this.#lines.slice(-MOST_LINES)
  }

  all = (): readonly string[] => this.#lines.slice(-MOST_LINES)
}
