import { request } from 'node:https'

export type Asked = { readonly status: number; readonly text: string; readonly issuedTo: string }

/** Asks as an API server does: over TLS, by the CA and the name of the webhook configuration. */
export function askWebhook(
  { port, ca, agent }: { readonly port: number; readonly ca: string; readonly agent?: import('node:https').Agent },
  path: string,
  body?: string | Buffer,
): Promise<Asked> {
  const { promise, resolve, reject } = Promise.withResolvers<Asked>()
  const asking = request(
    {
      host: '127.0.0.1',
      port,
      path,
      ca,
      servername: 'septet-admission.septet.svc',
      method: body === undefined ? 'GET' : 'POST',
      agent: agent ?? false,
      headers: {
        'content-type': 'application/json',
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
    },
    (response) => {
      const issuedTo = 'getPeerCertificate' in response.socket ? fingerprintOf(response.socket) : ''
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, issuedTo }))
    },
  )
  asking.on('error', reject)
  asking.end(body)
  return promise
}

const fingerprintOf = (socket: object): string =>
  (socket as import('node:tls').TLSSocket).getPeerCertificate().fingerprint256

/** A pod of `lab/Deployment/chat` that asks for a whole GPU, as the API server tells of it. */
export const reviewOf = (more: { readonly pod?: object; readonly request?: object } = {}) => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: {
    uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
    kind: { group: '', version: 'v1', kind: 'Pod' },
    resource: { group: '', version: 'v1', resource: 'pods' },
    requestKind: { group: '', version: 'v1', kind: 'Pod' },
    namespace: 'lab',
    operation: 'CREATE',
    userInfo: { username: 'system:serviceaccount:kube-system:replicaset-controller' },
    object: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        generateName: 'chat-7d9f4c-',
        creationTimestamp: null,
        labels: { app: 'chat', 'pod-template-hash': '7d9f4c' },
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'chat-7d9f4c', uid: 'u-1', controller: true },
        ],
      },
      spec: {
        containers: [
          {
            name: 'main',
            image: 'chat:1',
            resources: { limits: { 'nvidia.com/gpu': '1' }, requests: { cpu: '2', 'nvidia.com/gpu': '1' } },
          },
        ],
        ...more.pod,
      },
      status: {},
    },
    oldObject: null,
    dryRun: false,
    options: { apiVersion: 'meta.k8s.io/v1', kind: 'CreateOptions' },
    ...more.request,
  },
})
