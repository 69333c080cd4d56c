import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto'
import { isIPv4 } from 'node:net'

/** Both as PEM. */
export type KeyPair = { readonly certificate: string; readonly key: string }

/** How long, milliseconds since 1970. */
export type Validity = { readonly from: number; readonly to: number }

/** A certificate that signs others, signed by itself. DER by hand, because Node reads X.509 and does not write it (RFC 5280). */
export function makeAuthority(name: string, validity: Validity): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', CURVE)
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const extensions = [
    critical(OID.basicConstraints, sequence(TRUE)),
    critical(OID.keyUsage, bits(1, CERT_AND_CRL_SIGN)),
    extension(OID.subjectKeyIdentifier, tagged(0x04, keyIdentifier(spki))),
  ]
  const of = { subject: nameOf(name), issuer: nameOf(name), spki, validity, extensions }
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { certificate: signed(of, key), key }
}

/** A certificate for a server of these names, which an authority of `makeAuthority` signs. */
export function makeServing(names: readonly string[], validity: Validity, by: KeyPair): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', CURVE)
  const authority = new X509Certificate(by.certificate)
  const extensions = [
    critical(OID.basicConstraints, sequence()),
    critical(OID.keyUsage, bits(7, DIGITAL_SIGNATURE)),
    extension(OID.extendedKeyUsage, sequence(OID.serverAuthentication)),
    extension(OID.subjectAltName, sequence(...names.map(altName))),
    extension(OID.authorityKeyIdentifier, sequence(tagged(0x80, keyIdentifier(spkiOf(authority))))),
  ]
  const issuer = nameOf(/^CN=(.*)$/mu.exec(authority.subject)?.[1] ?? '')
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const of = { subject: nameOf('septet'), issuer, spki, validity, extensions }
  return {
    certificate: signed(of, by.key),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

const CURVE = { namedCurve: 'P-256' } as const
const CERT_AND_CRL_SIGN = 0x06
const DIGITAL_SIGNATURE = 0x80

type Certificate = {
  readonly subject: Buffer
  readonly issuer: Buffer
  /** The public key. */
  readonly spki: Buffer
  readonly validity: Validity
  readonly extensions: readonly Buffer[]
}

function signed({ subject, issuer, spki, validity, extensions }: Certificate, key: string): string {
  const toSign = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    serialNumber(),
    sequence(OID.ecdsaWithSha256),
    issuer,
    sequence(time(validity.from), time(validity.to)),
    subject,
    spki,
    tagged(0xa3, sequence(...extensions)),
  )
  const signature = sign('sha256', toSign, createPrivateKey(key))
  const der = sequence(toSign, sequence(OID.ecdsaWithSha256), bits(0, ...signature))
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replaceAll(/(.{64})(?=.)/gu, '$1\n')}\n-----END CERTIFICATE-----\n`
}

/** Positive, not 0, and at most 20 bytes. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return tagged(0x02, bytes)
}

const spkiOf = (certificate: X509Certificate): Buffer => certificate.publicKey.export({ type: 'spki', format: 'der' })

/** An uncompressed point of P-256 is the last 65 bytes. */
const keyIdentifier = (spki: Buffer): Buffer => createHash('sha1').update(spki.subarray(-65)).digest()

const altName = (name: string): Buffer =>
  isIPv4(name) ? tagged(0x87, Buffer.from(name.split('.').map(Number))) : tagged(0x82, Buffer.from(name))

/** One DER value: tag, length, content. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts))
const bits = (unused: number, ...content: readonly number[]): Buffer => tagged(0x03, Buffer.from([unused, ...content]))
const TRUE = tagged(0x01, Buffer.from([0xff]))
const oid = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'))

/** UTCTime up to 2049, GeneralizedTime from then on. */
function time(at: number): Buffer {
  const text = `${new Date(at).toISOString().replaceAll(/[-:T]/gu, '').slice(0, 14)}Z`
  return text < '2050' ? tagged(0x17, Buffer.from(text.slice(2))) : tagged(0x18, Buffer.from(text))
}

const OID = {
  ecdsaWithSha256: oid('2a8648ce3d040302'),
  commonName: oid('550403'),
  basicConstraints: oid('551d13'),
  keyUsage: oid('551d0f'),
  extendedKeyUsage: oid('551d25'),
  serverAuthentication: oid('2b06010505070301'),
  subjectAltName: oid('551d11'),
  subjectKeyIdentifier: oid('551d0e'),
  authorityKeyIdentifier: oid('551d23'),
}

const nameOf = (name: string): Buffer =>
  sequence(tagged(0x31, sequence(OID.commonName, tagged(0x0c, Buffer.from(name)))))
const extension = (kind: Buffer, value: Buffer): Buffer => sequence(kind, tagged(0x04, value))
const critical = (kind: Buffer, value: Buffer): Buffer => sequence(kind, TRUE, tagged(0x04, value))
