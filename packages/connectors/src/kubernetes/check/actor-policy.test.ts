import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect, test } from 'vitest'

import { toKubeconfig } from '../contract-server.fixture.ts'
import { actorPolicyIn } from './actor-policy.ts'

const POLICY = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/septet-actor'
const ACCOUNTS = '/api/v1/serviceaccounts?fieldSelector=metadata.name%3Dseptet-actor'

/** What is made of a server that answers so by path, and 404 of all else. */
async function stateOn(answers: Readonly<Record<string, readonly [status: number, body: object]>>) {
  const server = createServer((request, response) => {
    const [status, body] = answers[request.url ?? ''] ?? [404, { kind: 'Status', message: 'not found' }]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server
  const { port } = server.address() as AddressInfo
  try {
    const text = JSON.stringify(toKubeconfig({ url: `http://127.0.0.1:${port}`, token: 't' }))
    return await actorPolicyIn({ text, context: undefined }, {})
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('a cluster without the policy and without the account needs none', async () =>
  expect(await stateOn({ [ACCOUNTS]: [200, { items: [] }] })).toEqual({ kind: 'no-actor' }))

test('a cluster without the policy lacks it where the account is there, or nobody may tell', async () => {
  expect(await stateOn({ [ACCOUNTS]: [200, { items: [{}] }] })).toEqual({ kind: 'absent' })
  expect(await stateOn({ [ACCOUNTS]: [403, { kind: 'Status', message: 'no' }] })).toEqual({ kind: 'absent' })
})

test('who may not look at the policy is told why', async () =>
  expect(await stateOn({ [POLICY]: [403, { kind: 'Status', message: 'you may not' }] })).toEqual({
    kind: 'unknown',
    because: expect.stringContaining('you may not'),
  }))
