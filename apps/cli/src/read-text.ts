import { stdin } from 'node:process'

import { UsageError } from './options/command-options.ts'

/** The text of a file, or of standard input for `-`. Throws a `UsageError`. */
export async function readText(path: string): Promise<string> {
  if (path !== '-') {
    const { readFile } = await import('node:fs/promises')
    return readFile(path, 'utf8').catch((error: unknown) => {
      throw new UsageError(`There is no file ${path} that can be read.`, { cause: error })
    })
  }
  let text = ''
  for await (const chunk of stdin.setEncoding('utf8')) text += String(chunk)
  return text
}
