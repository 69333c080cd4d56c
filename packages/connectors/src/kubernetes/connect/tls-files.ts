import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { Cluster, User } from '@kubernetes/client-node/dist/config_types.js'
import { ConnectError, sayError } from './connect-error.ts'
import { sayFileError } from './kubeconfig.ts'

/** Reads the certificates and the key that a kubeconfig names; throws a `ConnectError` for the first that is no good. */
export function checkTlsFiles(cluster: Cluster, user: User, origin: string): void {
  const ca = material({ what: 'certificate authority', file: cluster.caFile, data: cluster.caData }, origin)
  const cert = material({ what: 'client certificate', file: user.certFile, data: user.certData }, origin)
  const key = material({ what: 'client key', file: user.keyFile, data: user.keyData }, origin)
  // A secure context takes any bytes for an authority; only reading the certificate shows what they are.
  check('certificate authority', origin, () => (ca === undefined ? undefined : new X509Certificate(ca)))
  if (cert === undefined && key === undefined) return
  if (cert === undefined || key === undefined) {
    throw new ConnectError(
      'credentials-unreadable',
      `The ${origin} has a client ${cert === undefined ? 'key without its certificate' : 'certificate without its key'}.`,
    )
  }
  check('client certificate', origin, () => createSecureContext({ cert }))
  check('client key', origin, () => createSecureContext({ cert, key }))
}

type Source = { readonly what: string; readonly file?: string | undefined; readonly data?: string | undefined }

function material({ what, file, data }: Source, origin: string): Buffer | undefined {
  if (typeof file === 'string') return read(what, file, origin)
  return typeof data === 'string' ? Buffer.from(data, 'base64') : undefined
}

function read(what: string, file: string, origin: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new ConnectError(
      'credentials-unreadable',
      `Cannot read the ${what} ${file} that the ${origin} names: ${sayFileError(error)}.`,
      { cause: error },
    )
  }
}

function check(what: string, origin: string, attempt: () => unknown): void {
  try {
    attempt()
  } catch (error) {
    throw new ConnectError(
      'credentials-unreadable',
      `The ${what} of the ${origin} is not usable PEM, or does not belong to its key: ${sayError(error)}.`,
      { cause: error },
    )
  }
}
