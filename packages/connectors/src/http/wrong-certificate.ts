import { createPrivateKey, X509Certificate } from 'node:crypto'

/** Why a certificate with its key, both PEM, cannot be shown to a server, in a sentence; undefined where they can. */
export function wrongCertificate(cert: string, key: string): string | undefined {
  const certificate = attempt(() => new X509Certificate(cert))
  if (certificate === undefined) return 'The client certificate is not a PEM certificate.'
  const privateKey = attempt(() => createPrivateKey(key))
  if (privateKey === undefined)
    return 'The key of the client certificate is not a PEM private key, or has a passphrase.'
  return certificate.checkPrivateKey(privateKey)
    ? undefined
    : 'The key is not that of the client certificate: they do not belong together.'
}

function attempt<Value>(make: () => Value): Value | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}
