import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'

import { errorText } from '@septet/domain/words'

import type { CertificateSource } from './certificates.ts'

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
