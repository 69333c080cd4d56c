import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { unpackKubectl } from '../unpack-kubectl.ts'
import { CHART, manifestsIn, openHelm, type Helm } from './chart.ts'
import { faultsOf } from './faults-of.ts'

let helm: Helm
beforeAll(async () => {
  helm = await openHelm()
})
afterAll(() => helm.close())

const HEAD = `# Made from the chart: \`npx vitest run test/deploy/plain.long.test.ts -u\` writes it anew. Septet that reads this cluster, with its
# own database, set by a Secret that you make first (docs/installing.md).
apiVersion: v1
kind: Namespace
metadata:
  name: septet
  labels: { pod-security.kubernetes.io/enforce: restricted }
`

test('the plain manifests are what the chart makes for a reader', async () => {
  const text = helm.template({ image: 'septet:0.1.0', secret: { name: 'septet' } }, 'septet', ['--skip-tests'])
  const plain = text.replaceAll(/^(# Source:.*| +app\.kubernetes\.io\/managed-by: .*|)\n/gmu, '')
  await expect(HEAD + plain).toMatchFileSnapshot('../../deploy/install.yaml')
})

test('kustomize builds them, object by object', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'septet-kustomize-'))
  try {
    const built = manifestsIn(execFileSync(await unpackKubectl(folder), ['kustomize', CHART], { encoding: 'utf8' }))
    const plain = manifestsIn(readFileSync(join(CHART, 'install.yaml'), 'utf8'))
    const names = (manifests: typeof plain) =>
      manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted()
    expect(names(built)).toEqual(names(plain))
    expect(names(plain)).toEqual([
      'ClusterRole septet-reader',
      'ClusterRoleBinding septet-reader',
      'Deployment septet',
      'Namespace septet',
      'NetworkPolicy septet',
      'PersistentVolumeClaim septet',
      'Role septet-reader-operator',
      'RoleBinding septet-reader-operator',
      'Service septet',
      'ServiceAccount septet-reader',
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the example for Argo CD is one of its Applications, and its values are the chart’s', async () => {
  const [application] = manifestsIn(readFileSync(join(CHART, 'argocd-application.yaml'), 'utf8'))
  if (application === undefined) throw new Error('there is no Application')
  expect(await faultsOf(application)).toEqual([])
  const { source } = application['spec'] as {
    source: { path: string; helm: { valuesObject: Record<string, unknown> } }
  }
  expect(source.path).toBe('deploy')
  const made = manifestsIn(helm.template(source.helm.valuesObject))
  expect(made.map(({ kind }) => kind)).toContain('ExternalSecret')
  // What a second rendering would make again.
  expect(made.map(({ kind }) => kind)).not.toContain('Secret')
})
