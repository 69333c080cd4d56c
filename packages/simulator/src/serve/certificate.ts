import { DAY_MS } from '@septet/domain'
import { generateKeyPairSync, sign } from 'node:crypto'

export type Certificate = { readonly certificate: string; readonly key: string }

/**
 * A certificate for 127.0.0.1 and a host, signed by itself, as PEM, good for ten years. kubectl sends a token over TLS only,
 * so the demo needs one; the key lives in this process' memory. DER by hand, because Node reads X.509 and does not write it.
 */
export function selfSigned(now: number, host = 'localhost'): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(OID.commonName, utf8('septet-demo'))))
  const validity = sequence(time(now - DAY_MS), time(now + 10 * 365 * DAY_MS))
  const serial = tagged(0x02, Buffer.from([1, ...Buffer.from(now.toString(16).padStart(12, '0'), 'hex')]))
  const toSign = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    serial,
    sequence(OID.ecdsaWithSha256),
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions(host))),
  )
  const signature = sign('sha256', toSign, privateKey)
  const der = sequence(
    toSign,
    sequence(OID.ecdsaWithSha256),
    tagged(0x03, Buffer.concat([Buffer.from([0]), signature])),
  )
  const body = der.toString('base64').replace(/(.{64})(?=.)/g, '$1\n')
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** One DER value: tag, length, content. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts))
const set = (...parts: readonly Buffer[]): Buffer => tagged(0x31, Buffer.concat(parts))
const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text))
const octets = (content: Buffer): Buffer => tagged(0x04, content)
// GeneralizedTime reaches beyond 2049.
const time = (at: number): Buffer =>
  tagged(0x18, Buffer.from(`${new Date(at).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`))
const oid = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'))

const OID = {
  ecdsaWithSha256: oid('2a8648ce3d040302'),
  commonName: oid('550403'),
  basicConstraints: oid('551d13'),
  subjectAltName: oid('551d11'),
}

function extensions(host: string): readonly Buffer[] {
  const names = sequence(tagged(0x82, Buffer.from(host)), tagged(0x87, Buffer.from([127, 0, 0, 1])))
  const yes = tagged(0x01, Buffer.from([0xff]))
  return [sequence(OID.basicConstraints, yes, octets(sequence(yes))), sequence(OID.subjectAltName, octets(names))]
}
