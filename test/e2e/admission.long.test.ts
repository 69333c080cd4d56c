import { createServer } from 'node:net'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'

import { KubeConfig } from '@kubernetes/client-node'
import { OPERATIONS, type OutputOf } from '@septet/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startDemo, type DemoProcess } from '../demo-process.ts'
import { eventually, newDataDir, removeDataDir, signIn, startSeptet, type SeptetProcess } from '../server-process.ts'

type Setup = OutputOf<typeof OPERATIONS.admissionSetup>
type Listed = OutputOf<typeof OPERATIONS.admissionList>
type Policy = OutputOf<typeof OPERATIONS.actPoliciesGet>

let dataDir: string
let septet: SeptetProcess
let demo: DemoProcess
let port = 0
let headers: Record<string, string> = {}

beforeAll(async () => {
  demo = await startDemo()
  dataDir = await newDataDir()
  port = await freePort()
  septet = await startSeptet({
    dataDir,
    environment: {
      SEPTET_DEMO: 'off',
      SEPTET_KUBECONFIG: demo.kubeconfigPath,
      SEPTET_CLUSTER_NAME: 'prod',
      SEPTET_PROMETHEUS_URL: demo.prometheusUrl,
      SEPTET_ADMISSION_PORT: String(port),
      SEPTET_ADMISSION_NAMES: '127.0.0.1',
    },
  })
  headers = await signIn(septet)
})
afterAll(async () => {
  await septet.stop()
  await demo.stop()
  await removeDataDir(dataDir)
})

function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const server = createServer().listen(0, '127.0.0.1', () => {
    const address = server.address()
    server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
  })
  return promise
}

async function ask<Value>(path: string, method = 'GET', body?: object): Promise<Value> {
  const answer = await fetch(`${septet.url}/api/v1/${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as Value
}

type Answer = { readonly status: number; readonly warning: string; readonly body: Pod }
type Pod = {
  readonly metadata: { readonly annotations?: Record<string, string> }
  readonly spec: {
    readonly nodeName?: string
    readonly containers: readonly { readonly resources: { limits: object; requests: object } }[]
  }
}

/** Asks the demo's API server, as kubectl does. */
async function kube(method: string, path: string, body?: object): Promise<Answer> {
  const config = new KubeConfig()
  config.loadFromString(readFileSync(demo.kubeconfigPath, 'utf8'))
  const { hostname, port: at } = new URL(config.getCurrentCluster()?.server ?? '')
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const options = { hostname, port: at, path, method, headers: { 'content-type': type } }
  await config.applyToHTTPSOptions(options)
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const sent = request(options, (answer) => {
    let text = ''
    answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    const warning = answer.headers.warning ?? ''
    answer.on('end', () => resolve({ status: answer.statusCode ?? 0, warning, body: JSON.parse(text) }))
  })
  sent.on('error', reject)
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  return promise
}

const NAMESPACE = 'admission-test'
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`
let made = 0

/** A pod that asks for a whole GPU and would do with 8 GiB of one. */
const create = ({ labels = {}, dryRun = false } = {}) => {
  const resources = { limits: { 'nvidia.com/gpu': '1' } }
  const name = `try-${(made += 1)}`
  return kube('POST', `${PODS}${dryRun ? '?dryRun=All' : ''}`, {
    metadata: { name, annotations: { 'septet.io/gpu-memory': '8Gi' }, labels },
    spec: {
      containers: [{ name: 'main', image: 'cuda:1', resources }],
      tolerations: [{ operator: 'Exists' }],
    },
  })
}
/** What a dry run says, once it says this. */
const told = (words: string) =>
  eventually(
    () => create({ dryRun: true }),
    ({ warning }) => warning.includes(words),
  )
const limitsOf = ({ body }: Answer) => body.spec.containers[0]?.resources.limits
const label = (value: string | null) =>
  kube('PATCH', `/api/v1/namespaces/${NAMESPACE}`, { metadata: { labels: { 'septet.io/admission': value } } })

test('a pod is warned of, then given the instance that it asks for, and starts; without the label nothing is asked', async () => {
  await kube('POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE } })
  const { path, caBundle, manifest } = await ask<Setup>('admission/setup?cluster=prod')
  expect(manifest).toContain(path)
  // The manifest's webhooks, by an address instead of a Service, which this cluster has not.
  const webhook = (mode: string) => ({
    name: `${mode}.namespaces.admission.septet.io`,
    clientConfig: {
      url: `https://127.0.0.1:${port}${path}/${mode}`,
      caBundle: Buffer.from(caBundle ?? '').toString('base64'),
    },
    namespaceSelector: { matchLabels: { 'septet.io/admission': mode } },
    objectSelector: { matchExpressions: [{ key: 'septet.io/admission', operator: 'DoesNotExist' }] },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
    failurePolicy: 'Ignore',
    sideEffects: 'NoneOnDryRun',
    timeoutSeconds: 2,
    admissionReviewVersions: ['v1'],
  })
  const configurations = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations'
  const configuration = { metadata: { name: 'septet-admission' }, webhooks: ['warn', 'mutate'].map(webhook) }
  expect((await kube('POST', configurations, configuration)).status).toBe(201)

  const unlabeled = await create()
  expect([unlabeled.status, unlabeled.warning, limitsOf(unlabeled)]).toEqual([201, '', { 'nvidia.com/gpu': '1' }])

  await label('warn')
  const warned = await told('would start now')
  expect(warned.warning).toContain('Its septet.io/gpu-memory asks for 8Gi: nvidia.com/mig-1g.')
  expect(limitsOf(warned)).toEqual({ 'nvidia.com/gpu': '1' })

  await label('mutate')
  expect((await create()).warning).toContain('is not on auto')
  const { policy } = await ask<Policy>('act-policy?cluster=prod')
  const auto = { ...policy.auto, classes: ['right-size'] }
  await ask('act-policy', 'PUT', {
    cluster: 'prod',
    policy: { ...policy, modes: { ...policy.modes, 'right-size': 'auto' }, auto },
  })
  await told('Septet changed')
  const changed = await create()
  const [resource = ''] = Object.keys(limitsOf(changed) ?? {})
  expect(resource).toMatch(/^nvidia\.com\/mig-1g\./u)
  expect(changed.body.spec.containers[0]?.resources).toEqual({
    limits: { [resource]: '1' },
    requests: { [resource]: '1' },
  })
  expect(changed.body.metadata.annotations).toHaveProperty(['septet.io/admission-changed'])
  const scheduled = await eventually(
    () => kube('GET', `${PODS}/try-${made}`),
    ({ body }) => body.spec.nodeName !== undefined,
  )
  expect(scheduled.body.spec.nodeName).toMatch(/^gpu-/u)

  expect(limitsOf(await create({ labels: { 'septet.io/admission': 'off' } }))).toEqual({ 'nvidia.com/gpu': '1' })

  await ask('acting/stop', 'PUT', { cluster: 'prod', reason: 'a test of stopping' })
  await told('stopped all changes')
  expect(limitsOf(await create())).toEqual({ 'nvidia.com/gpu': '1' })

  const listed = await eventually(
    () => ask<Listed>('admission?cluster=prod'),
    ({ answers }) => answers.some(({ said }) => said.includes('stopped all changes')),
  )
  expect(listed.listening).toBe(true)
  expect(listed.changed).toBe(1)
  expect(listed.answers.find(({ kind }) => kind === 'changed')).toMatchObject({
    namespace: NAMESPACE,
    suggested: resource,
  })

  await septet.stop()
  const alone = await create()
  expect([alone.status, alone.warning, limitsOf(alone)]).toEqual([201, '', { 'nvidia.com/gpu': '1' }])
})
