import { generateKeyPairSync, sign } from 'node:crypto'

import { expect, test } from 'vitest'

import { TestedDemo, type Body } from './demo.fixture.ts'

const demo = new TestedDemo({}, 'actor')

const AUDIENCE = 'https://septet.example.com/clusters/demo'
const REVIEWS = '/apis/authentication.k8s.io/v1/tokenreviews'
const issue = async (spec: Body = {}): Promise<string> => {
  const path = '/api/v1/namespaces/sandbox/serviceaccounts/agent/token'
  const { status, body } = await demo.call('POST', path, { body: { spec: { audiences: [AUDIENCE], ...spec } } })
  expect([status, body['kind']]).toEqual([201, 'TokenRequest'])
  return body['status'].token as string
}
const review = async (token: string, audiences: readonly string[] = [AUDIENCE]): Promise<Body> => {
  const { status, body } = await demo.call('POST', REVIEWS, { body: { spec: { token, audiences } } })
  expect(status).toBe(201)
  return body['status'] as Body
}

test('a token of a service account is known again, for whom it is, while it lasts', async () => {
  const token = await issue({ expirationSeconds: 600 })
  expect(await review(token)).toMatchObject({
    authenticated: true,
    user: { username: 'system:serviceaccount:sandbox:agent' },
    audiences: [AUDIENCE],
  })
  demo.now += 600_000
  expect(await review(token)).toEqual({ user: {}, error: expect.stringContaining('has expired') })
})

test('a token for somebody else, a changed one, and one of another key are not', async () => {
  const token = await issue()
  expect(await review(token, ['https://elsewhere.example'])).not.toHaveProperty('authenticated')
  expect(await review(await issue({ audiences: [] }))).not.toHaveProperty('authenticated')
  const [header = '', claims = ''] = token.split('.')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
  const forged = sign('sha256', Buffer.from(`${header}.${claims}`), key).toString('base64url')
  for (const wrong of [`${header}.${claims}.${forged}`, 'no token at all']) {
    expect(await review(wrong)).toEqual({ user: {}, error: 'invalid bearer token' })
  }
})

test('only who may create reviews can ask, and it is recorded', async () => {
  const rule = { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] }
  demo.cluster.grantActor([rule])
  await review('x')
  demo.cluster.grantActor([])
  expect((await demo.call('POST', REVIEWS, { body: { spec: { token: 'x' } } })).body).toMatchObject({
    code: 403,
    message: expect.stringContaining('cannot create resource "tokenreviews" in API group "authentication.k8s.io"'),
  })
  expect(demo.cluster.requests()).toMatchObject([
    { user: 'system:serviceaccount:septet:septet-actor', verb: 'create', resource: 'tokenreviews', count: 2 },
  ])
})
