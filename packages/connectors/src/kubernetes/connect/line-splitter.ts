export type LineSplitter = {
  /** Takes the next bytes; calls back for every line they complete. */
  readonly push: (chunk: Buffer) => void
  /** The stream has ended: what is left is a line too. */
  end(): void
}

/**
 * Cuts a byte stream into lines and holds at most `limit` bytes of an unfinished one. A longer line is thrown away as
 * it arrives, and reported once with its length when it ends. Characters cut between two chunks stay whole.
 */
export function createLineSplitter(options: {
  readonly limit: number
  readonly onLine: (line: string) => void
  readonly onOversized: (bytes: number) => void
}): LineSplitter {
  let held: Buffer[] = []
  let bytes = 0

  const take = (part: Buffer): void => {
    bytes += part.length
    if (bytes > options.limit) held = []
    else if (part.length > 0) held.push(part)
  }
  const finish = (): void => {
    const line = held
    const length = bytes
    held = []
    bytes = 0
    if (length > options.limit) options.onOversized(length)
    else if (length > 0) emit(line, options.onLine)
  }
  return {
    push(chunk) {
      let from = 0
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        take(chunk.subarray(from, at))
        finish()
        from = at + 1
      }
      take(chunk.subarray(from))
    },
    end: finish,
  }
}

const NEWLINE = 0x0a

function emit(parts: readonly Buffer[], onLine: (line: string) => void): void {
  const line = (parts.length === 1 ? parts[0] : Buffer.concat(parts))?.toString('utf8').trim()
  if (line !== undefined && line !== '') onLine(line)
}
