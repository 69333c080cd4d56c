import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { Cluster, User } from '@kubernetes/client-node/dist/config_types.js'
import { ConnectError, sayError } from './connect-error.ts'
import { sayFileError } from './kubeconfig.ts'

/** Reads the certificates and the key that a kubeconfig names; throws a `ConnectError` for the first that is no good. */
export function checkTlsFiles(cluster: Cluster, user: User, origin: string): void {
  const reading = (what: string) => (file: string) => read(what, file, origin)
  const ca = pemOf(cluster.caFile, cluster.caData, reading('certificate authority'))
  const cert = pemOf(user.certFile, user.certData, reading('client certificate'))
  const key = pemOf(user.keyFile, user.keyData, reading('client key'))
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

/** A certificate or a key by its file, or else by its Base64. What a kubeconfig does not say may also be null. */
export function pemOf(
  file: string | undefined,
  data: string | undefined,
  readFile: (file: string) => Buffer,
): Buffer | undefined {
  if (typeof file === 'string') return readFile(file)
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
