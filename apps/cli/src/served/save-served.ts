import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'

import { askServer } from './ask-server.ts'
import type { ServerToAsk } from './server-to-ask.ts'

type Saving = Pick<ServerToAsk, 'token'> & {
  /** Where to; `-`: to nowhere, its content is given back. The name that the server gives it when undefined. */
  readonly out: string | undefined
  /** Its name where the server gives none. */
  readonly fallback: string
}

/** Asks a server for a file and keeps it; gives what is printed. Throws as `askServer` does. */
export async function saveServed(address: URL, { token, out, fallback }: Saving): Promise<string | Uint8Array> {
  const { content, headers } = await askServer(address, { token })
  if (out === '-') return content
  const named = /filename="([^"]+)"/u.exec(headers['content-disposition'] ?? '')?.[1]
  // A server does not choose the folder.
  const path = out ?? basename(named ?? fallback)
  await writeFile(path, content)
  return `${path}\n`
}
