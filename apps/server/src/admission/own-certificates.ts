import { X509Certificate } from 'node:crypto'

import { DAY_MS, type SettingStore } from '@septet/domain'
import { z } from 'zod'

import type { CertificateSource, ServedCertificate } from './certificates.ts'
import { makeAuthority, makeServing, type KeyPair } from './x509.ts'

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
