import { describe, expect, test } from 'vitest'
import { parseMigConfig } from '../kubernetes/read/parse-mig-config.ts'
import { parseNode } from '../kubernetes/read/parse-node.ts'
import { parsePod } from '../kubernetes/read/parse-pod.ts'
import { asServed, nodeObject, objectsIn, ofKind, recorded, recordedObjects, recordings } from './recorded.fixture.ts'

describe.skipIf(recordings === undefined)('Karpenter', () => {
  test('names the pool of a node as its NodeClaim does', () => {
    const described = recorded('karpenter/nodeclaim-describe-output.txt')
    const labels = Object.fromEntries(
      [...described.matchAll(/^(?:Labels:)? +(?<label>[\w./-]+\/[\w./-]+)=(?<value>\S+)$/gmu)].map(({ groups }) => [
        groups?.['label'] ?? '',
        groups?.['value'] ?? '',
      ]),
    )
    expect(parseNode(nodeObject('n', { labels }))).toMatchObject({ pool: 'default', isGpuNode: false, gpuCount: 0 })
  })

  test('keeps pods that must not be disrupted, for good or for a length of time', () => {
    const evictable = ofKind(objectsIn(recorded('karpenter/do-not-disrupt.yaml')), 'Deployment').map(({ spec }) => {
      const [pod] = objectsIn(JSON.stringify(spec['template'])).map(asServed)
      const containers = [{ resources: { limits: { 'nvidia.com/gpu': '1' } } }]
      return parsePod({ ...pod, spec: { containers } })?.scheduling.evictable
    })
    expect(evictable).toEqual([false, false])
  })
})

const LABELS = ['nvidia.com/gpu.present', 'nvidia.com/gpu.product', 'nvidia.com/mig.config']

describe.skipIf(recordings === undefined)('NVIDIA’s GPU Operator', () => {
  test.each(['v24.9.2', 'v25.10.1', 'v26.3.3', 'v26.7.0'])('has the labels that are read in %s', (version) => {
    const text = recorded(`gpu-operator/labels-in-source-${version}.txt`)
    expect(LABELS.filter((label) => !text.includes(`"${label}"`))).toEqual([])
    expect(text).toContain('"nvidia.com/gpu.deploy.')
  })

  test.each([
    ['v24.9.2', 7],
    ['v26.7.0', 7],
  ])('says in %s how many of each profile a GPU holds, once its list is a node’s own', (version, most) => {
    const [config] = ofKind(recordedObjects(`gpu-operator/mig-manager-0400_configmap-${version}.yaml`), 'ConfigMap')
    // The shared list holds for boards of all kinds, so that nothing of it is a node's.
    expect(parseMigConfig(config)).toBeUndefined()
    const own = { ...config, metadata: { ...config?.metadata, labels: { 'nvidia.com/node-name': 'n' } } }
    const menu = parseMigConfig(own)
    expect(menu).toMatchObject({ node: 'n' })
    expect(menu?.all['1g.10gb'] ?? most).toBe(most)
  })
})
