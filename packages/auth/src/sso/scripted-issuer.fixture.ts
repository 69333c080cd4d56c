import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose'

export const CLIENT_ID = 'septet'

/** What a scripted issuer says next, and how; whatever is left out is as an honest one has it. */
export type Script = {
  /** Claims of the ID token beside or instead of the usual ones; undefined leaves one out. */
  claims?: Record<string, unknown>
  /** Seconds from now at which it ends. */
  endsIn?: number
  /** A key that nobody knows signs instead of its own. */
  foreignKey?: boolean
  /** Signed by nobody. */
  unsigned?: boolean
  /** Claims of the userinfo endpoint; none there when left out. */
  userInfo?: Record<string, unknown>
  /** What its metadata calls it. */
  calledItself?: string
  /** Where it says that people sign out. */
  endSession?: string
  /** Status and body of the token endpoint. */
  tokenAnswer?: readonly [number, object]
  /** Takes every question and answers none. */
  silent?: boolean
  /** Status of everything. */
  status?: number
}

export type ScriptedIssuer = {
  readonly url: string
  script: Script
  /** How often the token endpoint was asked, and with what. */
  readonly asked: URLSearchParams[]
  /** The nonce that its next ID token names; as in the address that the browser was sent to. */
  nonce: string
  /** A token that its own key signs. */
  readonly signed: (claims: JWTPayload, header?: Record<string, string>) => Promise<string>
  readonly close: () => Promise<void>
}

/** Its own key and a foreign one: to make one takes longer than most tests, so all issuers have the same. */
const keyPairs = Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])

/** An OpenID Connect provider that says what a test wants, over HTTP. */
export async function openScriptedIssuer(): Promise<ScriptedIssuer> {
  const [own, foreign] = await keyPairs
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }
  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown): void => {
      response.writeHead(issuer.script.status ?? status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    if (issuer.script.silent === true) return undefined
    const path = request.url?.split('?')[0]
    if (path === '/.well-known/openid-configuration') return answer(200, metadataOf(issuer))
    if (path === '/jwks') return answer(200, { keys: [jwk] })
    if (path === '/userinfo') return answer(200, issuer.script.userInfo ?? {})
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    return void request.on('end', () => {
      issuer.asked.push(new URLSearchParams(text))
      const [status, body] = issuer.script.tokenAnswer ?? [200, undefined]
      if (body !== undefined) return answer(status, body)
      void idToken(issuer, issuer.script.foreignKey === true ? foreign.privateKey : own.privateKey).then((token) =>
        answer(200, { access_token: 'opaque', token_type: 'Bearer', expires_in: 60, id_token: token }),
      )
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer: ScriptedIssuer = {
    url,
    script: {},
    asked: [],
    nonce: '',
    signed: (claims, header = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k', ...header }).sign(own.privateKey),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return issuer
}

const metadataOf = ({ url, script }: ScriptedIssuer) => ({
  issuer: script.calledItself ?? url,
  authorization_endpoint: `${url}/authorize`,
  token_endpoint: `${url}/token`,
  jwks_uri: `${url}/jwks`,
  ...(script.endSession === undefined ? {} : { end_session_endpoint: script.endSession }),
  ...(script.userInfo === undefined ? {} : { userinfo_endpoint: `${url}/userinfo` }),
})

async function idToken({ url, script, nonce }: ScriptedIssuer, key: CryptoKey): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const usual = {
    iss: url,
    aud: CLIENT_ID,
    sub: 'ann',
    email: 'ann@team.example',
    email_verified: true,
    nonce,
    iat: now,
    exp: now + (script.endsIn ?? 60),
  }
  const claims = { ...usual, ...script.claims }
  if (script.unsigned === true) {
    return `${part({ alg: 'none' })}.${part(claims)}.`
  }
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(key)
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
