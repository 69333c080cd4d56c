import { instant, type Instant, type KeyStore, type SigningKey } from '@septet/domain'
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  jwtVerify,
  SignJWT,
  type CryptoKey,
  type JWTPayload,
} from 'jose'
import { z } from 'zod'

import type { Secrets } from './secrets.ts'

/** The keys that sign access tokens (ES256), kept in the store with their private half sealed. */
export type SigningKeys = {
  sign(claims: JWTPayload): Promise<string>
  /** The claims of a token that one of the keys signed. Throws what `jose` throws. */
  verify(token: string, expected: { issuer: string; audience: string; now: Instant }): Promise<JWTPayload>
  /** For `/.well-known/jwks.json`: public halves only, newest first. */
  publicKeys(): Promise<readonly PublicJwk[]>
  /** Signs with a new key from now on. Tokens of those before are good until they end, or, when one leaked, no more. */
  rotate(options: { readonly leaked: boolean }): Promise<void>
}

/** The only algorithm: one that clients verify without asking the server. */
const ALGORITHM = 'ES256'
/** Least time between two looks for a key that is not known here, milliseconds: another server may have made one. */
const LOOK_AGAIN_MS = 3000
/** How old what is known may be, milliseconds: within this time a key that another server made or removed is followed. */
const KNOWN_MS = 3000

/**
 * The signing keys of a store; read, and the first made, when they are first needed. The newest one that has its private
 * half signs. A row without it only verifies: that is how a key is retired while its tokens are still out.
 */
export function openSigningKeys(from: {
  readonly keys: KeyStore
  readonly secrets: Secrets
  readonly now: () => Instant
}): SigningKeys {
  let loading: Promise<Loaded> | undefined
  const loaded = (): Promise<Loaded> => {
    loading ??= load(from).catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
  let looking: Promise<Loaded> | undefined
  /** Once for all who ask at that moment. What is known stays so when the store does not answer. */
  const refreshed = async (): Promise<Loaded> => {
    const known = await loaded()
    if (from.now() - known.at < LOOK_AGAIN_MS) return known
    looking ??= load(from).finally(() => (looking = undefined))
    const found = await looking
    loading = Promise.resolve(found)
    return found
  }
  /** What is known, read again now and then; as it was while the store does not answer. */
  const current = async (): Promise<Loaded> => {
    const known = await loaded()
    return from.now() - known.at < KNOWN_MS ? known : refreshed().catch(() => known)
  }
  return {
    async rotate({ leaked }) {
      await from.keys.rotate(await makeKey(from.secrets, from.now()))
      if (leaked) await from.keys.prune(instant(from.now() + 1))
      loading = undefined
      await loaded()
    },
    async sign(claims) {
      const { signer } = await current()
      return new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, kid: signer.kid, typ: 'JWT' }).sign(signer.key)
    },
    async verify(token, { issuer, audience, now }) {
      const { payload } = await jwtVerify(
        token,
        async (header, input) => {
          let known = await current()
          const isKnown = (): boolean => known.publicKeys.some(({ kid }) => kid === header.kid)
          if (!isKnown()) known = await refreshed()
          if (!isKnown()) throw new errors.JWKSNoMatchingKey()
          return known.find(header, input)
        },
        { algorithms: [ALGORITHM], issuer, audience, requiredClaims: ['exp'], currentDate: new Date(now) },
      )
      return payload
    },
    publicKeys: async () => (await current()).publicKeys,
  }
}

type Loaded = {
  readonly at: Instant
  readonly signer: { readonly kid: string; readonly key: CryptoKey }
  readonly publicKeys: readonly PublicJwk[]
  readonly find: ReturnType<typeof createLocalJWKSet>
}

const PublicJwkSchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  alg: z.literal(ALGORITHM),
  use: z.literal('sig'),
  key_ops: z.tuple([z.literal('verify')]),
})
type PublicJwk = z.infer<typeof PublicJwkSchema>
const PrivateJwkSchema = z.object({ kty: z.string(), crv: z.string(), x: z.string(), y: z.string(), d: z.string() })

async function load({ keys, secrets, now }: Parameters<typeof openSigningKeys>[0]): Promise<Loaded> {
  const before = await keys.list()
  const rows = before.some(signs) ? before : await keys.addIfNone(await makeKey(secrets, now()))
  const signing = rows.find(signs)
  if (signing?.sealedPrivateJwk === undefined) throw new Error('The database kept no key that signs access tokens.')
  const sealed = secrets.unseal(purposeOf(signing.kid), signing.sealedPrivateJwk)
  const jwk = PrivateJwkSchema.parse(JSON.parse(Buffer.from(sealed).toString('utf8')))
  const key = await importJWK(jwk, ALGORITHM)
  if (key instanceof Uint8Array) throw new Error('The key that signs access tokens is not an EC key.')
  const publicKeys = rows.map((row) => PublicJwkSchema.parse(row.publicJwk))
  return {
    at: instant(now()),
    signer: { kid: signing.kid, key },
    publicKeys,
    find: createLocalJWKSet({ keys: publicKeys.map((each) => ({ ...each, key_ops: [...each.key_ops] })) }),
  }
}

const signs = (key: SigningKey): boolean => key.sealedPrivateJwk !== undefined

const purposeOf = (kid: string): string => `signing-key/${kid}`

async function makeKey(secrets: Secrets, createdAt: Instant): Promise<SigningKey> {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true })
  const [privateJwk, publicHalf] = await Promise.all([exportJWK(pair.privateKey), exportJWK(pair.publicKey)])
  const kid = await calculateJwkThumbprint(publicHalf)
  const publicJwk = { ...publicHalf, kid, alg: ALGORITHM, use: 'sig', key_ops: ['verify'] }
  return {
    kid,
    publicJwk: PublicJwkSchema.parse(publicJwk),
    sealedPrivateJwk: secrets.seal(purposeOf(kid), Buffer.from(JSON.stringify(privateJwk))),
    createdAt,
  }
}
