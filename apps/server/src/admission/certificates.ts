import type { KeyPair } from './x509.ts'

/** What the API server meets, and by what it believes it. */
export type ServedCertificate = KeyPair & {
  /** PEM for `caBundle`; undefined where whoever made the certificate has to say. */
  readonly caBundle: string | undefined
}

/** Looked at again and again while Septet runs; the same texts as long as nothing has changed. */
export type CertificateSource = { current(): Promise<ServedCertificate> }
