import { readFileSync } from 'node:fs'
import { request } from 'node:https'

import { KubeConfig } from '@kubernetes/client-node'
import { z } from 'zod'

type Answer = { readonly status: number; readonly body: unknown }
type Call = { readonly method: string; readonly path: string; readonly type?: string; readonly body?: unknown }

/** Asks the API server of a kubeconfig, as any client would. */
export async function callApi(
  kubeconfig: string,
  { method, path, type = 'application/json', body }: Call,
): Promise<Answer> {
  const config = new KubeConfig()
  config.loadFromString(readFileSync(kubeconfig, 'utf8'))
  const { hostname, port } = new URL(config.getCurrentCluster()?.server ?? '')
  const options = { hostname, port, path, method, headers: { 'content-type': type } }
  await config.applyToHTTPSOptions(options)
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const sent = request(options, (answer) => {
    let text = ''
    answer.setEncoding('utf8')
    answer.on('data', (chunk: string) => (text += chunk))
    answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) }))
  })
  sent.on('error', reject)
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  return promise
}

const NodesSchema = z.object({ items: z.array(z.object({ metadata: z.object({ name: z.string() }) })) })

/** Cordons the first node by name. */
export async function cordonFirstNode(kubeconfig: string): Promise<string> {
  const { body } = await callApi(kubeconfig, { method: 'GET', path: '/api/v1/nodes?limit=1' })
  const name = NodesSchema.parse(body).items[0]?.metadata.name ?? ''
  const patched = await callApi(kubeconfig, {
    method: 'PATCH',
    path: `/api/v1/nodes/${name}`,
    type: 'application/merge-patch+json',
    body: { spec: { unschedulable: true } },
  })
  if (patched.status !== 200) throw new Error(`could not cordon ${name}: ${JSON.stringify(patched.body)}`)
  return name
}
