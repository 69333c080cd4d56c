import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A certificate that signs itself, for 127.0.0.1, as files and as PEM. */
export type MadeCertificate = {
  readonly certFile: string
  readonly keyFile: string
  readonly cert: string
  readonly key: string
}

/** Makes one in a folder, by the `openssl` of the machine. */
export function makeCertificate(openssl: string, folder: string, name: string): MadeCertificate {
  const [certFile, keyFile] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const names = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1']
  execFileSync(openssl, ['req', '-x509', ...kind, ...names, '-keyout', keyFile, '-out', certFile], { stdio: 'ignore' })
  return { certFile, keyFile, cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
}
