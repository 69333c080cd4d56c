import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Everything that is made from the one master secret. A purpose is a plain name; each has its own key (HKDF, RFC 5869). */
export type Secrets = {
  /** Encrypts (AES-256-GCM). What is sealed for one purpose opens for no other, so bind it: `factor/ID`. */
  seal(purpose: string, plain: Uint8Array): Uint8Array
  /** Throws when it was changed, was sealed for another purpose, or with another master secret. */
  unseal(purpose: string, sealed: Uint8Array): Uint8Array
  /** HMAC-SHA-256 as hex: for what must be found again but not guessed from a copy of the database. */
  keyedHash(purpose: string, text: string): string
  /** 32 bytes that only this purpose has. */
  key(purpose: string): Buffer
}

/** Where the master secret comes from, and while it is being changed the one before. */
export type SecretSource = {
  readonly masterSecret: string | undefined
  readonly masterSecretBefore: string | undefined
  readonly dataDir: string
}

/**
 * Takes the master secret from the setting, or from the file `secret` in the data directory, which is made on first start;
 * the one before from its setting, or from the file `secret.before`.
 */
export async function masterSecrets({ masterSecret, masterSecretBefore, dataDir }: SecretSource): Promise<{
  readonly now: Uint8Array
  readonly before: Uint8Array | undefined
}> {
  const path = join(dataDir, 'secret.before')
  const left = await readIfThere(path)
  return {
    now: masterSecret === undefined ? await secretFile(dataDir) : settingOf(masterSecret),
    before:
      masterSecretBefore !== undefined
        ? settingOf(masterSecretBefore)
        : left === undefined
          ? undefined
          : keyOf(left, path),
  }
}

/** What backups are signed with, where there is a master secret; undefined where none was set and no file was made. */
export async function backupKey({
  masterSecret,
  dataDir,
}: Pick<SecretSource, 'masterSecret' | 'dataDir'>): Promise<Uint8Array | undefined> {
  const isThere = masterSecret !== undefined || (await readIfThere(join(dataDir, 'secret'))) !== undefined
  if (!isThere) return undefined
  const { now } = await masterSecrets({ masterSecret, masterSecretBefore: undefined, dataDir })
  return secretsFrom(now).key('backup')
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Of the sealed form, so that it can change one day. */
const FORMAT = 1

/** The secrets of one master secret. */
export function secretsFrom(master: Uint8Array): Secrets {
  const key = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', master, new Uint8Array(), `septet/v1/${purpose}`, KEY_BYTES))
  // A handful of purposes, asked for with every request: to derive a key costs more than to hash with it.
  const hashKeys = new Map<string, Buffer>()
  const hashKey = (purpose: string): Buffer => {
    const known = hashKeys.get(purpose) ?? key(`hash/${purpose}`)
    hashKeys.set(purpose, known)
    return known
  }
  return {
    key,
    keyedHash: (purpose, text) => createHmac('sha256', hashKey(purpose)).update(text).digest('hex'),
    seal(purpose, plain) {
      // A fresh key per purpose and a random nonce: NIST SP 800-38D allows 2^32 of those per key; here it is a handful.
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key(`seal/${purpose}`), nonce)
      return Buffer.concat([Buffer.of(FORMAT), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    unseal(purpose, sealed) {
      const bytes = Buffer.from(sealed)
      if (bytes[0] !== FORMAT || bytes.length < 1 + NONCE_BYTES + TAG_BYTES) throw new SealError()
      const decipher = createDecipheriv('aes-256-gcm', key(`seal/${purpose}`), bytes.subarray(1, 1 + NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(1 + NONCE_BYTES, -TAG_BYTES)), decipher.final()])
      } catch (error) {
        throw new SealError({ cause: error })
      }
    },
  }
}

class SealError extends Error {
  override readonly name = 'SealError'
  constructor(options?: ErrorOptions) {
    super(
      'What the database keeps was sealed with another secret. Start Septet with the SEPTET_SECRET, or the file "secret" of the data directory, that it was made with.',
      options,
    )
  }
}

const LEAST_CHARACTERS = 32

function settingOf(text: string): Uint8Array {
  if (text.length >= LEAST_CHARACTERS) return Buffer.from(text)
  throw new Error(
    `SEPTET_SECRET is too short: it must have at least ${LEAST_CHARACTERS} characters. Make one with "openssl rand -base64 32".`,
  )
}

async function secretFile(dataDir: string): Promise<Uint8Array> {
  const path = join(dataDir, 'secret')
  await mkdir(dataDir, { recursive: true })
  const found = await readIfThere(path)
  if (found === undefined) await makeFile(path)
  const text = found ?? (await readFile(path, 'utf8'))
  const bytes = keyOf(text, path)
  // A copy or a restore may have opened it to others.
  await chmod(path, 0o600)
  return bytes
}

function keyOf(text: string, path: string): Uint8Array {
  const bytes = Buffer.from(text.trim(), 'base64url')
  if (bytes.length === KEY_BYTES) return bytes
  throw new Error(`${path} is damaged. Put the file back from a backup, or set SEPTET_SECRET.`)
}

const readIfThere = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })

/** Written aside and then linked: the name appears once, whole, whoever else starts at the same moment. */
async function makeFile(path: string): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(aside, `${randomBytes(KEY_BYTES).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
    await link(aside, path).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    })
  } finally {
    await rm(aside, { force: true })
  }
}
