import { request as httpsRequest } from 'node:https'

import { errorText } from '@septet/domain/words'

import { isObject, listIn, numberIn, objectAt, textIn, valueIn, withValue, type Json, type JsonObject } from './json.ts'
import { kindNamed } from './kinds.ts'
import { jsonPatch } from './patch.ts'
import { labelPairs, selectsLabels } from './selectors.ts'
import { Refused } from './status.ts'
import { keyOf } from './store.ts'
import { withPodDefaults } from './validate.ts'
import type { Api } from './write.ts'

const CONFIGURATION = kindNamed('MutatingWebhookConfiguration')
const NAMESPACE = kindNamed('Namespace')

export type NewPod = {
  readonly body: JsonObject
  readonly namespace: string
  readonly user: string
  readonly dryRun: boolean
}

/** What the webhooks made of a pod, and what they say to anyone who creates it. */
export type Mutated = { readonly body: JsonObject; readonly warnings: readonly string[] }

/** Whether there is anything to ask, so that no write waits where there is not. */
export const hasWebhooks = ({ store }: Api): boolean => store.list(CONFIGURATION).length > 0

/**
 * Asks each webhook that selects the pod, one after the other, as an API server does before it keeps a pod: defaults first,
 * patches in between. `matchConditions` are not read: who is asked in vain says nothing. Throws where a webhook refuses, or
 * fails and must not.
 */
export async function mutated(api: Api, pod: NewPod): Promise<Mutated> {
  let body = withPodDefaults(withValue(pod.body, ['metadata', 'namespace'], pod.namespace))
  const warnings: string[] = []
  for (const configuration of api.store.list(CONFIGURATION)) {
    for (const webhook of listIn(configuration.read(), 'webhooks').filter(isObject)) {
      if (!selectsPod(api, webhook, { body, namespace: pod.namespace })) continue
      const response = await asked(webhook, reviewOf(api, { ...pod, body }))
      if (response === undefined) continue
      if (valueIn(response, 'allowed') !== true) throw denied(webhook, response)
      warnings.push(...listIn(response, 'warnings').filter((each) => typeof each === 'string'))
      body = patched(body, response)
    }
  }
  return { body, warnings }
}

function selectsPod({ store }: Api, webhook: JsonObject, pod: Pick<NewPod, 'body' | 'namespace'>): boolean {
  const namespace = store.get(NAMESPACE, keyOf(undefined, pod.namespace))?.read()
  return (
    listIn(webhook, 'rules').some(isForNewPods) &&
    selectsLabels(objectAt(webhook, 'namespaceSelector'), labelPairs(objectAt(namespace, 'metadata', 'labels'))) &&
    selectsLabels(objectAt(webhook, 'objectSelector'), labelPairs(objectAt(pod.body, 'metadata', 'labels')))
  )
}

const isForNewPods = (rule: Json): boolean =>
  has(rule, 'apiGroups', '') && has(rule, 'operations', 'CREATE') && has(rule, 'resources', 'pods')

const has = (rule: Json, field: string, wanted: string): boolean =>
  listIn(rule, field).some((each) => each === wanted || each === '*')

const reviewOf = (api: Api, { body, namespace, user, dryRun }: NewPod): JsonObject => {
  const [kind, resource] = [
    { group: '', version: 'v1', kind: 'Pod' },
    { group: '', version: 'v1', resource: 'pods' },
  ]
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: `${api.store.version()}-${api.now()}`,
      kind,
      resource,
      requestKind: kind,
      requestResource: resource,
      name: textIn(body, 'metadata', 'name'),
      namespace,
      operation: 'CREATE',
      userInfo: { username: user },
      object: body,
      oldObject: null,
      dryRun,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
    },
  }
}

/** Undefined where it failed and may. */
async function asked(webhook: JsonObject, review: JsonObject): Promise<JsonObject | undefined> {
  try {
    const response = objectAt(await post(webhook, JSON.stringify(review)), 'response')
    if (textIn(response, 'uid') !== textIn(review, 'request', 'uid'))
      throw new Error('expected response.uid to be the same')
    return response
  } catch (error) {
    if (textIn(webhook, 'failurePolicy') === 'Ignore') return undefined
    const message = `Internal error occurred: failed calling webhook "${textIn(webhook, 'name')}": ${errorText(error)}`
    throw new Refused(500, 'InternalError', { message })
  }
}

/** By URL only: the demo has no network in which a Service could be reached. */
function post(webhook: JsonObject, body: string): Promise<Json> {
  const config = objectAt(webhook, 'clientConfig')
  const url = new URL(textIn(config, 'url'))
  const ca = Buffer.from(textIn(config, 'caBundle'), 'base64')
  const { promise, resolve, reject } = Promise.withResolvers<Json>()
  const timeout = (numberIn(webhook, 'timeoutSeconds') ?? 10) * 1000
  const sent = httpsRequest(
    url,
    {
      method: 'POST',
      ca,
      timeout,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    },
    (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      answer.on('end', () => {
        if (answer.statusCode !== 200) return reject(new Error(`the server answered ${answer.statusCode}: ${text}`))
        try {
          resolve(JSON.parse(text))
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)))
        }
      })
    },
  )
  sent.on('timeout', () => sent.destroy(new Error('context deadline exceeded')))
  sent.on('error', reject)
  sent.end(body)
  return promise
}

function patched(body: JsonObject, response: JsonObject): JsonObject {
  const patch = textIn(response, 'patch')
  if (patch === '') return body
  const after = jsonPatch(body, JSON.parse(Buffer.from(patch, 'base64').toString('utf8')))
  return isObject(after) ? after : body
}

const denied = (webhook: JsonObject, response: JsonObject): Refused =>
  new Refused(403, 'Forbidden', {
    message: `admission webhook "${textIn(webhook, 'name')}" denied the request: ${textIn(response, 'status', 'message')}`,
  })
