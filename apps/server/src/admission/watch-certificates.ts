import { errorText } from '@septet/domain/words'
import type { Log } from '@septet/domain'

import type { CertificateSource, ServedCertificate } from './certificates.ts'

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
