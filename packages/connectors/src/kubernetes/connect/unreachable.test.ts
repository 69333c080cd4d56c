import { expect, test } from 'vitest'

import { toConnectError } from './unreachable.ts'

const failed = (code: string): Error => Object.assign(new Error(code), { code })

test.each([
  ['CERT_HAS_EXPIRED', 'it has expired; renew it at the API server.'],
  ['CERT_NOT_YET_VALID', 'it is not valid yet; check the clocks of this server and of the API server.'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'it is made out to another name; check the address in the kubeconfig.'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'it is signed by itself; check the certificate authority in the kubeconfig.'],
])('what to do about a certificate is said: %s', (code, words) => {
  const error = toConnectError('https://api.example', failed(code))
  expect(error).toMatchObject({
    code: 'certificate-refused',
    message: `The certificate of https://api.example is refused: ${words}`,
  })
})
