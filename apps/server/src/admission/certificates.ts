import { X509Certificate, createPrivateKey } from 'node:crypto'
import { DAY_MS, type SettingStore, type Log } from '@septet/domain'
import { z } from 'zod'
import { makeAuthority, makeServing, type KeyPair } from './x509.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { errorText } from '@septet/domain/words'

export type OwnParts = {
  readonly settings: SettingStore
  /** Encrypts the keys of authorities, so that a copy of the database does not give them away. */
  readonly secrets: {
    seal(purpose: string, plain: Uint8Array): Uint8Array
    unseal(purpose: string, sealed: Uint8Array): Uint8Array
  }
  readonly names: readonly string[]
  readonly now: () => number
}

const KEY = 'admission-authorities'
const PURPOSE = 'admission-authority'

/** An authority signs for ten years; half a year before its end the next one does, which was in the bundle for half a year. */
const AUTHORITY_DAYS = 3650
const NEXT_WITHIN_DAYS = 365
const SIGNS_UNTIL_DAYS = 180
/** A serving certificate is made again in the last third of its time. */
const SERVING_DAYS = 90
const RENEW_WITHIN_DAYS = 30

const KeptSchema = z.array(z.object({ certificate: z.string(), sealed: z.string() }))

/**
 * A certificate of Septet's own: the authority lies in the database, the same for all that share it, and each process makes
 * its own serving certificate. Throws what the store throws.
 */
export function ownCertificates(parts: OwnParts): CertificateSource {
  let serving: (KeyPair & { readonly by: string }) | undefined
  return {
    async current(): Promise<ServedCertificate> {
      const authorities = await authoritiesOf(parts)
      const signing = authorities.find(({ certificate }) => daysLeft(certificate, parts) > SIGNS_UNTIL_DAYS)
      if (signing === undefined) throw new Error('No authority for admission certificates could be made.')
      const isCurrent = serving?.by === signing.certificate && daysLeft(serving.certificate, parts) > RENEW_WITHIN_DAYS
      if (serving === undefined || !isCurrent) {
        const pair = makeServing(parts.names, validFor(SERVING_DAYS, parts), signing)
        serving = { ...pair, by: signing.certificate }
      }
      const caBundle = authorities.map(({ certificate }) => certificate).join('')
      return { certificate: serving.certificate, key: serving.key, caBundle }
    },
  }
}

/** Those that still hold, oldest first; the next one is made in time. */
async function authoritiesOf(parts: OwnParts): Promise<readonly KeyPair[]> {
  const kept = await readKept(parts)
  if (kept.some(({ certificate }) => daysLeft(certificate, parts) > NEXT_WITHIN_DAYS)) return kept
  const made = makeAuthority('septet-admission-ca', validFor(AUTHORITY_DAYS, parts))
  const sealed = [...kept, made].map(({ certificate, key }) => ({
    certificate,
    sealed: Buffer.from(parts.secrets.seal(PURPOSE, Buffer.from(key))).toString('base64'),
  }))
  await parts.settings.put(KEY, sealed)
  // Where two began at the same time, both go on with what was written last.
  return readKept(parts)
}

async function readKept({ settings, secrets, ...parts }: OwnParts): Promise<readonly KeyPair[]> {
  const kept = KeptSchema.safeParse(await settings.get(KEY)).data ?? []
  return kept.flatMap(({ certificate, sealed }) => {
    const key = opened(secrets, sealed)
    return key === undefined || daysLeft(certificate, parts) <= 0 ? [] : { certificate, key }
  })
}

/** What another master secret has sealed is made again. */
function opened(secrets: OwnParts['secrets'], sealed: string): string | undefined {
  try {
    return Buffer.from(secrets.unseal(PURPOSE, Buffer.from(sealed, 'base64'))).toString()
  } catch {
    return undefined
  }
}

const daysLeft = (certificate: string, { now }: Pick<OwnParts, 'now'>): number =>
  (new X509Certificate(certificate).validToDate.getTime() - now()) / DAY_MS

/** From an hour ago, as clocks differ. */
const validFor = (days: number, { now }: OwnParts) => ({ from: now() - DAY_MS / 24, to: now() + days * DAY_MS })

/**
 * A Secret of type `kubernetes.io/tls` that is mounted: the kubelet writes it again when it changes. `ca.crt` may be
 * there.
 */
export const mountedCertificates = (folder: string): CertificateSource => ({
  async current() {
    try {
      const [certificate, key] = await Promise.all([read(folder, 'tls.crt'), read(folder, 'tls.key')])
      // While the two are being written one may be empty, or they may not belong together.
      if (!new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))) {
        throw new Error('The key is not the one of the certificate.')
      }
      createSecureContext({ cert: certificate, key })
      const caBundle = await read(folder, 'ca.crt').catch(() => undefined)
      return { certificate, key, caBundle: caBundle === undefined ? undefined : checked(caBundle) }
    } catch (error) {
      throw new Error(
        `The certificate for admission in ${folder} could not be used: ${errorText(error)} Put tls.crt and tls.key there, which belong together (SEPTET_ADMISSION_CERT_DIR).`,
        { cause: error },
      )
    }
  },
})

const read = (folder: string, name: string): Promise<string> => readFile(join(folder, name), 'utf8')

function checked(bundle: string): string {
  void new X509Certificate(bundle)
  return bundle
}

/** What the API server meets, and by what it believes it. */
export type ServedCertificate = KeyPair & {
  /** PEM for `caBundle`; undefined where whoever made the certificate has to say. */
  readonly caBundle: string | undefined
}

/** Looked at again and again while Septet runs; the same texts as long as nothing has changed. */
export type CertificateSource = { current(): Promise<ServedCertificate> }

type Parts = {
  readonly source: CertificateSource
  /** Called with each new certificate after the first. */
  readonly renewed: (served: ServedCertificate) => void
  readonly log: Log
  /** How often it is looked at, milliseconds. */
  readonly lookMs?: number
}

const LOOK_MS = 5000

/** Keeps the certificate for admission current. Throws where there is none to begin with. */
export async function watchCertificates({ source, renewed, log, lookMs = LOOK_MS }: Parts) {
  let served = await source.current()
  const look = async (): Promise<void> => {
    try {
      const found = await source.current()
      const isNew = found.certificate !== served.certificate
      served = found
      if (!isNew) return
      renewed(found)
      log.info('the certificate for admission was renewed')
    } catch (error) {
      log.warn('the certificate for admission could not be read, the one before is used', { error: errorText(error) })
    }
  }
  const timer = setInterval(() => void look(), lookMs).unref()
  return { current: (): ServedCertificate => served, stop: () => clearInterval(timer) }
}
