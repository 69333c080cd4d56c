import { generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto'
import { objectAt, parseJson, listIn, numberIn, textIn, type JsonObject } from './json.ts'

/** Signs the tokens of a cluster's service accounts, and knows them again. */
export type TokenAuthority = {
  issue(order: TokenOrder): { readonly token: string; readonly expiresAt: number }
  /** The `status` of a TokenReview. */
  review(token: string, audiences: readonly string[]): JsonObject
}

type TokenOrder = {
  readonly namespace: string
  readonly name: string
  /** Whom it is for; the API server itself where none is named. */
  readonly audiences: readonly string[]
  readonly seconds: number
}

/** As kubeadm names it, so that two clusters have one: the key alone tells their tokens apart. */
const ISSUER = 'https://kubernetes.default.svc.cluster.local'
const HEADER = { alg: 'ES256', kid: 'demo' }

/** With a key pair of its own, which ends with the process: tokens of before are then signed by nobody that is known. */
export function openTokenAuthority(now: () => number): TokenAuthority {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const format = { dsaEncoding: 'ieee-p1363' } as const
  return {
    issue({ namespace, name, audiences, seconds }) {
      const issuedAt = Math.floor(now() / 1000)
      const claims = {
        iss: ISSUER,
        sub: userOf(namespace, name),
        aud: audiences.length === 0 ? [ISSUER] : [...audiences],
        exp: issuedAt + seconds,
        iat: issuedAt,
        nbf: issuedAt,
        jti: randomUUID(),
        'kubernetes.io': { namespace, serviceaccount: { name } },
      }
      const signed = `${part(HEADER)}.${part(claims)}`
      const signature = sign('sha256', Buffer.from(signed), { key: privateKey, ...format })
      return { token: `${signed}.${signature.toString('base64url')}`, expiresAt: (issuedAt + seconds) * 1000 }
    },
    review(token, audiences) {
      const cut = token.lastIndexOf('.')
      const signature = Buffer.from(token.slice(cut + 1), 'base64url')
      const isOurs = verify('sha256', Buffer.from(token.slice(0, cut)), { key: publicKey, ...format }, signature)
      if (!isOurs) return refused('invalid bearer token')
      const claims = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
      if ((numberIn(claims, 'exp') ?? 0) * 1000 <= now()) {
        return refused('[invalid bearer token, service account token has expired]')
      }
      const asked = audiences.length === 0 ? [ISSUER] : audiences
      const meant = listIn(claims, 'aud').filter((each) => typeof each === 'string' && asked.includes(each))
      if (meant.length === 0)
        return refused('[invalid bearer token, token audiences is invalid for the target audiences]')
      const namespace = textIn(claims, 'kubernetes.io', 'namespace')
      const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated']
      return { authenticated: true, user: { username: textIn(claims, 'sub'), groups }, audiences: meant }
    },
  }
}

const userOf = (namespace: string, name: string): string => `system:serviceaccount:${namespace}:${name}`
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const refused = (error: string): JsonObject => ({ user: objectAt({}), error })
