import { expect, test } from 'vitest'

import { signAws } from './sign-aws.ts'

/** Of the test suite that AWS publishes for Signature Version 4. */
const KEY = {
  keyId: 'AKIDEXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  service: 'service',
}
const AT = Date.UTC(2015, 7, 30, 12, 36)

test.each([
  ['get-vanilla', '/', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  [
    'get-vanilla-query-order-key-case',
    '/?Param2=value2&Param1=value1',
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  [
    'get-vanilla-empty-query-key',
    '/?Param1=value1',
    'a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb',
  ],
])('%s has the signature that AWS publishes', (_name, path, signature) => {
  expect(signAws(`https://example.amazonaws.com${path}`, KEY, AT).headers).toEqual({
    'x-amz-date': '20150830T123600Z',
    authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
  })
})

test('what is signed is what is sent, spaces, braces and quotes of a query among it', () => {
  const { url } = signAws(
    'https://aps.example.com/workspaces/ws-1/api/v1/query?query=a%7Bb%3D%22c+d%22%7D&time=1',
    KEY,
    AT,
  )
  expect(url).toBe('https://aps.example.com/workspaces/ws-1/api/v1/query?query=a%7Bb%3D%22c%20d%22%7D&time=1')
})
