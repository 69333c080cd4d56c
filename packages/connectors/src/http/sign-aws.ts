import { createHash, createHmac } from 'node:crypto'

export type AwsKey = {
  readonly region: string
  readonly keyId: string
  readonly secret: string
  /** `aps` for Amazon Managed Service for Prometheus. */
  readonly service: string
}

type Signed = { readonly url: string; readonly headers: Readonly<Record<string, string>> }

/**
 * A GET that is signed by Signature Version 4 (AWS, "Create a signed AWS API request"). The address comes back with its
 * query written as it was signed: a space as `%20`, which some would write as a plus.
 */
export function signAws(address: string, { region, keyId, secret, service }: AwsKey, now: number): Signed {
  const url = new URL(address)
  const at = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/gu, '')
  const day = at.slice(0, 8)
  const query = [...url.searchParams]
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .toSorted(([a, x], [b, y]) => order(a, b) || order(x, y))
    .map((pair) => pair.join('='))
    .join('&')
  const request = ['GET', pathOf(url), query, `host:${url.host}`, `x-amz-date:${at}`, '', SIGNED, hashed('')]
  const scope = [day, region, service, 'aws4_request']
  const toSign = ['AWS4-HMAC-SHA256', at, scope.join('/'), hashed(request.join('\n'))].join('\n')
  const key = scope.reduce<string | Buffer>((before, part) => keyed(before, part), `AWS4${secret}`)
  const signature = keyed(key, toSign).toString('hex')
  const credential = [keyId, ...scope].join('/')
  return {
    url: `${url.origin}${url.pathname}${query === '' ? '' : `?${query}`}`,
    headers: {
      'x-amz-date': at,
      authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${SIGNED}, Signature=${signature}`,
    },
  }
}

const SIGNED = 'host;x-amz-date'

/** Of a path that is percent-encoded already each part is encoded once more, for every service but S3. */
const pathOf = ({ pathname }: URL): string => pathname.split('/').map(encoded).join('/')

/** RFC 3986: all but letters, digits and `-._~`. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/gu, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const hashed = (text: string): string => createHash('sha256').update(text).digest('hex')
const keyed = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
