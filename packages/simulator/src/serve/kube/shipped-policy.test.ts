import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { objectAt, parseYaml, textIn, type Json, type JsonObject } from './json.ts'
import { kindNamed } from './kinds.ts'
import { askPolicies } from './policies.ts'
import type { ApiRequest } from './request.ts'
import { createObjectStore } from './store.ts'

// Kinds that the demo does not serve; `test/act/stolen-token.contract.ts` has the others.
const store = createObjectStore(1)
const file = readFileSync(new URL('../../../../../deploy/actor-policy.yaml', import.meta.url), 'utf8')
for (const text of file.split('\n---\n')) {
  const object = objectAt(parseYaml(text))
  store.put(kindNamed(textIn(object, 'kind')), textIn(object, 'metadata', 'name'), () => object)
}

/** What the shipped policy says to the actor who makes one of the other, in their specs or annotations; empty: it may. */
function refusalOf([group, plural]: Kind, before: JsonObject, after: JsonObject): string {
  const request: ApiRequest = {
    verb: 'patch',
    kind: { group, plural, version: 'v1', kind: '', namespaced: true, short: [], subresources: [] },
    groupVersion: `${group}/v1`,
    namespace: 'ml',
    name: 'work',
    subresource: '',
    query: new URLSearchParams(),
    body: {},
    hasBody: true,
    contentType: '',
    accept: '',
    userAgent: '',
    user: 'system:serviceaccount:septet:septet-actor',
    warn: () => undefined,
  }
  try {
    askPolicies(store, request, { object: work(after), oldObject: work(before) })
    return ''
  } catch (error) {
    return String(error)
  }
}
const work = ({ annotations, ...spec }: JsonObject): JsonObject => ({ metadata: { name: 'work', annotations }, spec })
type Kind = readonly [group: string, plural: string]

const INFERENCE: Kind = ['serving.kserve.io', 'inferenceservices']
const GANG: Kind = ['leaderworkerset.x-k8s.io', 'leaderworkersets']
const NOTEBOOK: Kind = ['kubeflow.org', 'notebooks']
const gpus = (count: number, more: JsonObject = {}): JsonObject => ({
  resources: { limits: { 'nvidia.com/gpu': count, cpu: '1' } },
  ...more,
})
const main = (count: number, more: JsonObject = {}) => ({ containers: [gpus(count, { name: 'main', ...more })] })
const predictor = (model: Json, more: JsonObject = {}) => ({ predictor: { model, ...more } })
const gang = (worker: Json, more: JsonObject = {}) => ({
  leaderWorkerTemplate: { workerTemplate: { spec: worker }, ...more },
})
const leader = (spec: JsonObject): JsonObject => ({ leaderTemplate: { spec } })
const notebook = (spec: JsonObject, more: JsonObject = {}) => ({ template: { spec }, ...more })

test.for<readonly [string, Kind, JsonObject, JsonObject]>([
  ['a model fewer GPUs', INFERENCE, predictor(gpus(2)), predictor(gpus(1))],
  ['a predictor no replicas', INFERENCE, predictor(gpus(2)), predictor(gpus(2), { minReplicas: 0 })],
  ['a predictor of its own containers fewer GPUs', INFERENCE, { predictor: main(2) }, { predictor: main(1) }],
  [
    'an InferenceService its stop',
    INFERENCE,
    predictor(gpus(1)),
    { ...predictor(gpus(1)), annotations: { 'serving.kserve.io/stop': 'true' } },
  ],
  ['workers fewer GPUs', GANG, gang(main(2)), gang(main(1))],
  ['a leader fewer GPUs', GANG, gang(main(2), leader(main(2))), gang(main(2), leader(main(1)))],
  [
    'a Notebook its stop',
    NOTEBOOK,
    notebook(main(1)),
    notebook(main(1), { annotations: { 'kubeflow-resource-stopped': 'now' } }),
  ],
  [
    'a Notebook a MIG slice',
    NOTEBOOK,
    notebook(main(1)),
    notebook({ containers: [{ name: 'main', resources: { limits: { 'nvidia.com/mig-1g.10gb': 1, cpu: '1' } } }] }),
  ],
])('the actor gives %s', ([, kind, before, after]) => expect(refusalOf(kind, before, after)).toBe(''))

test.for<readonly [string, Kind, JsonObject, JsonObject]>([
  ['model of another place', INFERENCE, predictor(gpus(1)), predictor(gpus(1, { storageUri: 's3://evil' }))],
  ['model with a command', INFERENCE, predictor(gpus(1)), predictor(gpus(1, { command: ['id'] }))],
  [
    'model where there was none',
    INFERENCE,
    { predictor: main(1) },
    { predictor: { ...main(1), model: gpus(1, { image: 'evil' }) } },
  ],
  [
    'predictor with another account',
    INFERENCE,
    predictor(gpus(1)),
    predictor(gpus(1), { serviceAccountName: 'admin' }),
  ],
  ['transformer', INFERENCE, predictor(gpus(1)), { ...predictor(gpus(1)), transformer: main(1) }],
  ['image of workers', GANG, gang(main(1)), gang(main(1, { image: 'evil' }))],
  ['image of a leader', GANG, gang(main(1), leader(main(1))), gang(main(1), leader(main(1, { image: 'evil' })))],
  ['leader where there was none', GANG, gang(main(1)), gang(main(1), leader(main(1)))],
  ['size of a gang', GANG, gang(main(1), { size: 2 }), gang(main(1), { size: 99 })],
  [
    'disk of the node for a Notebook',
    NOTEBOOK,
    notebook(main(1)),
    notebook({ ...main(1), volumes: [{ hostPath: { path: '/' } }] }),
  ],
  ['lack of a Notebook’s template', NOTEBOOK, notebook(main(1)), {}],
])('the actor gives no %s', ([, kind, before, after]) =>
  expect(refusalOf(kind, before, after)).toMatch(/denied request: Septet (?:changes GPUs|cordons nodes)/u),
)
