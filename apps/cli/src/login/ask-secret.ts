import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { ReadStream, WriteStream } from 'node:tty'

type Terminal = { readonly stdin: ReadStream; readonly stderr: WriteStream }

/**
 * Asks anyone who sits at the terminal for a secret, and shows nothing of what is typed; undefined where nobody does.
 */
export function askSecret({ stdin, stderr }: Terminal): ((shown: string) => Promise<string>) | undefined {
  if (!stdin.isTTY) return undefined
  return async (shown) => {
    stderr.write(`${shown}\nToken: `)
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
    const line = createInterface({ input: stdin, output: silent, terminal: true })
    try {
      return await line.question('')
    } finally {
      line.close()
      stderr.write('\n')
    }
  }
}
