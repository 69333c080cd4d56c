import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import {
  loadAllYaml,
  type V1LabelSelector,
  type V1MutatingWebhookConfiguration,
  type V1Service,
} from '@kubernetes/client-node'
import { expect, test } from 'vitest'

const text = readFileSync(join(import.meta.dirname, '../deploy/admission.yaml'), 'utf8')
const [service, configuration] = loadAllYaml(text) as [V1Service, V1MutatingWebhookConfiguration]
const webhooks = configuration.webhooks ?? []
const LABEL = 'septet.io/admission'

test('nothing that Septet does or leaves undone keeps a pod from being created', () => {
  for (const { failurePolicy, timeoutSeconds, sideEffects, admissionReviewVersions } of webhooks) {
    expect([failurePolicy, timeoutSeconds, sideEffects, admissionReviewVersions]).toEqual([
      'Ignore',
      2,
      'NoneOnDryRun',
      ['v1'],
    ])
  }
})

test('only new pods are asked about', () => {
  const pods = {
    apiGroups: [''],
    apiVersions: ['v1'],
    operations: ['CREATE'],
    resources: ['pods'],
    scope: 'Namespaced',
  }
  expect(webhooks.map(({ rules }) => rules)).toEqual(webhooks.map(() => [pods]))
})

test('every webhook goes to the Service, by the CA, to the path of its mode', () => {
  const { name, namespace } = service.metadata ?? {}
  for (const webhook of webhooks) {
    const [mode] = webhook.name.split('.')
    expect(webhook.clientConfig).toEqual({
      service: { name, namespace, port: service.spec?.ports?.[0]?.port, path: `PATH/${mode}` },
      caBundle: 'CA_BUNDLE',
    })
  }
})

test.each([
  [undefined, undefined, undefined],
  ['warn', undefined, 'warn'],
  ['mutate', undefined, 'mutate'],
  [undefined, 'warn', 'warn'],
  [undefined, 'mutate', 'mutate'],
  ['warn', 'mutate', 'mutate'],
  ['mutate', 'warn', 'warn'],
  ['mutate', 'off', undefined],
  ['other', 'other', undefined],
])(
  'in a namespace with the label %s a pod with the label %s is asked about once, or not: %s',
  (ofNamespace, ofPod, mode) => {
    const asked = webhooks.filter(
      ({ namespaceSelector, objectSelector }) =>
        selects(namespaceSelector, ofNamespace) && selects(objectSelector, ofPod),
    )
    expect(asked.map(({ name }) => name.split('.')[0])).toEqual(mode === undefined ? [] : [mode])
  },
)

/** As an API server reads it, of an object that has this one label or none. */
function selects(selector: V1LabelSelector | undefined, value: string | undefined): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {}
  const names = [...Object.keys(matchLabels), ...matchExpressions.map(({ key }) => key)]
  expect(names.filter((name) => name !== LABEL)).toEqual([])
  expect(matchExpressions.filter(({ operator }) => operator !== 'DoesNotExist')).toEqual([])
  const wanted = matchLabels[LABEL]
  return (wanted === undefined || wanted === value) && (matchExpressions.length === 0 || value === undefined)
}
