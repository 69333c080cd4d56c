import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

import { isRecord } from '../is-record.ts'
import { jsonOf } from './ask-server.ts'

/** Environment variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>

export type KeptServers = {
  /** The server that is asked where none is named. */
  readonly current?: string | undefined
  readonly servers: Readonly<Record<string, KeptServer>>
}
type KeptServer = {
  readonly token: string
  /** Made for this machine when it signed in, so that nobody else uses it. */
  readonly own?: boolean | undefined
}

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
  const kept = jsonOf(text)
  if (isKept(kept)) return kept
  throw new Error(`${path} cannot be understood. Delete it, and sign in again with septet login.`)
}

/** By hand: to load the schema library takes longer than to ask a server. */
const isKept = (kept: unknown): kept is KeptServers =>
  isRecord(kept) &&
  isOptional(kept['current'], 'string') &&
  isRecord(kept['servers']) &&
  Object.values(kept['servers']).every(
    (one) => isRecord(one) && typeof one['token'] === 'string' && isOptional(one['own'], 'boolean'),
  )

const isOptional = (value: unknown, type: 'string' | 'boolean'): boolean => value === undefined || typeof value === type

/** Keeps sign-ins for their owner's eyes alone; a reader never sees half a file. */
export function writeKept(environment: Environment, kept: KeptServers): void {
  const path = keptPath(environment)
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(kept, undefined, 2)}\n`, { mode: 0o600 })
  renameSync(draft, path)
}
