import { ConnectError, sayError } from './connect-error.ts'
import { lookUp } from './look-up.ts'

/** Why no connection came about, as one sentence that says what to check. */
export function toConnectError(server: string, error: unknown): ConnectError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const certificate = lookUp(CERTIFICATE, code)
  if (certificate !== undefined) {
    return new ConnectError('certificate-refused', `The certificate of ${server} is refused: ${certificate}.`, {
      cause: error,
    })
  }
  return new ConnectError(
    'unreachable',
    `Cannot reach the Kubernetes API at ${server}: ${lookUp(NETWORK, code) ?? sayError(error)}; check the address and the network between.`,
    { cause: error },
  )
}

const CHECK = 'check the certificate authority in the kubeconfig'
const CERTIFICATE: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it has expired; renew it at the API server',
  CERT_NOT_YET_VALID: 'it is not valid yet; check the clocks of this server and of the API server',
  DEPTH_ZERO_SELF_SIGNED_CERT: `it is signed by itself; ${CHECK}`,
  SELF_SIGNED_CERT_IN_CHAIN: `its authority is unknown here; ${CHECK}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `its authority is unknown here; ${CHECK}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `its authority is unknown here; ${CHECK}`,
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is made out to another name; check the address in the kubeconfig',
}

const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused',
  ENOTFOUND: 'there is no such host name',
  EAI_AGAIN: 'its host name cannot be resolved now',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  EPROTO: 'it does not use TLS as expected',
}
