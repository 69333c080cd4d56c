import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { selfSigned } from './certificate.ts'

/** What clients know a demo cluster by: the tokens of who reads and who acts, and its certificate with key. */
export type Identity = {
  readonly token: string
  readonly actorToken: string
  readonly certificate: string
  readonly key: string
}

const Token = z.string().min(16)
// Who acts came later than who reads: a folder of before has one token.
const Kept = z.object({ token: Token, actorToken: Token.optional(), certificate: z.string(), key: z.string() })

/**
 * The identity kept in a folder, or a new one. It stays the same over restarts, so that whoever read the kubeconfig
 * before still gets in. Throws when the folder cannot be written.
 */
export async function keptIdentity(folder: string, now: number): Promise<Identity> {
  const path = join(folder, 'demo.identity.json')
  await mkdir(folder, { recursive: true })
  const known = Kept.safeParse(await readJson(path))
  if (known.success && known.data.actorToken !== undefined) return { ...known.data, actorToken: known.data.actorToken }
  const before = known.success ? known.data : { token: newToken(), ...selfSigned(now) }
  const made = { ...before, actorToken: newToken() }
  await writeFile(path, JSON.stringify(made), { mode: 0o600 })
  return made
}

const newToken = (): string => `demo.${randomBytes(24).toString('hex')}`

/** Undefined when there is no such file, or no JSON in it: then it is made anew. */
async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return undefined
  }
}
