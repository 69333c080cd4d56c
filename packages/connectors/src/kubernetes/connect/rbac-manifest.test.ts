import { loadAllYaml } from '@kubernetes/client-node'
import { expect, test } from 'vitest'
import { rbacManifest } from './rbac-manifest.ts'

const missing = (resource: 'nodes' | 'pods' | 'configmaps', verb: 'list' | 'watch', namespace?: string) => ({
  verb,
  resource,
  group: '',
  namespace,
  without: '',
})

test('gives what is missing and nothing more, to whom the API server names', () => {
  const yaml = rbacManifest(
    [missing('nodes', 'watch'), missing('pods', 'watch'), missing('configmaps', 'list', 'gpu-operator')],
    'system:serviceaccount:monitoring:septet',
  )
  expect(loadAllYaml(yaml)).toEqual([
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: expect.stringMatching(/^septet-reader-added-[0-9a-f]{8}$/u) },
      rules: [{ apiGroups: [''], resources: ['nodes', 'pods'], verbs: ['watch'] }],
    },
    expect.objectContaining({
      kind: 'ClusterRoleBinding',
      subjects: [{ kind: 'ServiceAccount', name: 'septet', namespace: 'monitoring' }],
    }),
    expect.objectContaining({
      kind: 'Role',
      metadata: { name: expect.stringMatching(/^septet-reader-added-/u), namespace: 'gpu-operator' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
    }),
    expect.objectContaining({ kind: 'RoleBinding' }),
  ])
})

test('a name from the cluster stays a name', () => {
  const [, binding] = loadAllYaml(rbacManifest([missing('nodes', 'list')], 'eve\n---\nkind: Secret "#'))
  expect(binding).toMatchObject({ subjects: [{ kind: 'User', name: 'eve\n---\nkind: Secret "#' }] })
})

const named = (...rights: Parameters<typeof missing>[]) =>
  loadAllYaml(
    rbacManifest(
      rights.map((right) => missing(...right)),
      undefined,
    ),
  ).map(({ metadata }: { metadata: { name: string } }) => metadata.name)

test('a later grant does not take back an earlier one: each role is named by what it gives', () => {
  const first = named(['nodes', 'watch'])
  const second = named(['pods', 'watch'])
  expect(new Set([...first, ...second]).size).toBe(2)
  expect(named(['nodes', 'watch'], ['pods', 'watch'])).toEqual(named(['pods', 'watch'], ['nodes', 'watch']))
})
