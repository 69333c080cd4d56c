import { createInterface } from 'node:readline/promises'
import type { ReadStream, WriteStream } from 'node:tty'

type Terminal = { readonly stdin: ReadStream; readonly stderr: WriteStream }

/**
 * Asks anyone who sits at the terminal; undefined where nobody does. What is shown goes to the error stream: what is
 * printed may be piped on.
 */
export function personToAsk({
  stdin,
  stderr,
}: Terminal): ((shown: string, question: string) => Promise<boolean>) | undefined {
  if (!stdin.isTTY) return undefined
  return async (shown, question) => {
    const line = createInterface({ input: stdin, output: stderr })
    try {
      stderr.write(`${shown}\n`)
      const said = await line.question(`${question} [y/N] `)
      return /^y(?:es)?$/iu.test(said.trim())
    } finally {
      line.close()
    }
  }
}
