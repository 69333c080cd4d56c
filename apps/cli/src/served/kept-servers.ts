import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

import { z } from 'zod'

/** Environment variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>

const KeptSchema = z.object({
  /** The server that is asked where none is named. */
  current: z.string().optional(),
  servers: z.record(
    z.string(),
    z.object({
      token: z.string(),
      /** Made for this machine when it signed in, so that nobody else uses it. */
      own: z.boolean().optional(),
    }),
  ),
})
export type KeptServers = z.output<typeof KeptSchema>

/** Where sign-ins are kept: `$XDG_CONFIG_HOME/septet/servers.json`, by default below `~/.config`. */
export const keptPath = ({ XDG_CONFIG_HOME: folder, HOME: home }: Environment): string =>
  join(folder === undefined || folder === '' ? join(home ?? homedir(), '.config') : folder, 'septet', 'servers.json')

/** What `septet login` kept. Throws an `Error` for a file that cannot be read or understood; nothing is kept where there is none. */
export function readKept(environment: Environment): KeptServers {
  const path = keptPath(environment)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { servers: {} }
    throw error
  }
  try {
    return KeptSchema.parse(JSON.parse(text))
  } catch {
    throw new Error(`${path} cannot be understood. Delete it, and sign in again with septet login.`)
  }
}

/** Keeps sign-ins for their owner's eyes alone; a reader never sees half a file. */
export function writeKept(environment: Environment, kept: KeptServers): void {
  const path = keptPath(environment)
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(kept, undefined, 2)}\n`, { mode: 0o600 })
  renameSync(draft, path)
}
