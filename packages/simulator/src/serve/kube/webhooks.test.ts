import { createServer, type Server } from 'node:https'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { selfSigned } from '../certificate.ts'
import { TestedDemo, type Body } from '../demo.fixture.ts'

const demo = new TestedDemo()
const pair = selfSigned(Date.UTC(2026, 10, 1))
const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations'
const PODS = '/api/v1/namespaces/default/pods'

let server: Server
let port = 0
let reviews: Body[] = []
let respond: (review: Body) => Body
beforeEach(async () => {
  reviews = []
  respond = () => ({ allowed: true })
  server = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      const review: Body = JSON.parse(text)
      reviews.push(review)
      const said = { uid: review['request'].uid, ...respond(review) }
      response.end(JSON.stringify({ apiVersion: review['apiVersion'], kind: review['kind'], response: said }))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterEach(() => void server.close())

const configure = (more: object = {}) =>
  demo.call('POST', CONFIGURATIONS, {
    body: {
      metadata: { name: 'test' },
      webhooks: [
        {
          name: 'test.example.com',
          clientConfig: {
            url: `https://127.0.0.1:${port}/`,
            caBundle: Buffer.from(pair.certificate).toString('base64'),
          },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
          objectSelector: { matchLabels: { ask: 'yes' } },
          timeoutSeconds: 1,
          ...more,
        },
      ],
    },
  })
const create = (labels: object = { ask: 'yes' }, query = '') =>
  demo.call('POST', `${PODS}${query}`, {
    body: {
      metadata: { name: `p-${Math.random().toString(36).slice(2, 8)}`, labels },
      spec: { containers: [{ name: 'main', image: 'x:1', resources: { limits: { 'nvidia.com/gpu': '1' } } }] },
    },
  })

test('a selected pod is told of with its defaults, and kept as the webhook has patched it', async () => {
  await configure()
  const patch = [{ op: 'add', path: '/metadata/annotations', value: { seen: 'yes' } }]
  respond = () => ({
    allowed: true,
    warnings: ['a “warning”'],
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
  })
  const { status, headers, body } = await create()
  expect([status, body['metadata'].annotations]).toEqual([201, { seen: 'yes' }])
  expect(Buffer.from(headers.get('warning') ?? '', 'latin1').toString()).toBe('299 - "a “warning”"')
  const [{ request }] = reviews as [Body]
  expect(request).toMatchObject({
    operation: 'CREATE',
    namespace: 'default',
    dryRun: false,
    userInfo: { username: 'demo' },
  })
  expect(request.object.spec.containers[0].resources.requests).toEqual({ 'nvidia.com/gpu': '1' })
})

test('a pod that is not selected is not told of, and a dry run is told of as one', async () => {
  await configure()
  expect((await create({})).status).toBe(201)
  expect(reviews).toEqual([])
  expect((await create({ ask: 'yes' }, '?dryRun=All')).status).toBe(201)
  expect(reviews[0]?.['request'].dryRun).toBe(true)
})

test('a webhook that fails lets pods pass where it may, and none where it may not', async () => {
  await configure({ failurePolicy: 'Ignore', clientConfig: { url: 'https://127.0.0.1:1/', caBundle: '' } })
  expect((await create()).status).toBe(201)
  await demo.call('DELETE', `${CONFIGURATIONS}/test`)
  await configure({ clientConfig: { url: 'https://127.0.0.1:1/', caBundle: '' } })
  const { status, body } = await create()
  expect([status, body['message']]).toEqual([500, expect.stringContaining('failed calling webhook "test.example.com"')])
})

test('a pod that a webhook refuses is not kept', async () => {
  await configure()
  respond = () => ({ allowed: false, status: { message: 'not here' } })
  const { status, body } = await create()
  expect([status, body['message']]).toEqual([403, 'admission webhook "test.example.com" denied the request: not here'])
})
