import { describe, expect, test } from 'vitest'

import { readConfig } from '../config.ts'
import { clusterSources } from './cluster-sources.ts'

const ADDRESSES = {
  ready: true,
  apiUrl: 'https://127.0.0.1:6443',
  kubeconfigPath: '/srv/demo.kubeconfig',
  exporterTargetsUrl: 'http://127.0.0.1:9400/exporter/targets',
  prometheusUrl: 'http://127.0.0.1:9090/prometheus',
} as const

const idsOf = (environment: Record<string, string>): string[] =>
  clusterSources(readConfig(environment, '/srv'), ADDRESSES, 0).map(({ record }) => record.id)
const named = (name: string): Record<string, string> => ({ SEPTET_KUBECONFIG: '/etc/kube', SEPTET_CLUSTER_NAME: name })

describe('the clusters to watch', () => {
  test('the configured one comes first, the demo cluster last', () => {
    expect(idsOf(named('Prod EU'))).toEqual(['prod-eu', 'demo'])
    expect(idsOf({})).toEqual(['demo'])
    expect(idsOf({ ...named('prod'), SEPTET_DEMO: 'off' })).toEqual(['prod'])
  })

  test('a demo cluster of another scale or seed keeps its usage apart', () => {
    expect(idsOf({ SEPTET_DEMO_SCALE: 'large' })).toEqual(['demo-large-7'])
    expect(idsOf({ SEPTET_DEMO_SEED: '8' })).toEqual(['demo-small-8'])
  })

  test.each(['demo', 'Demo', 'sample', 'demo-large-7'])('a real cluster named %s is told apart from ours', (name) => {
    const [id] = idsOf(named(name))
    expect(id).toBe(`cluster-${name.toLowerCase()}`)
  })

  test('a name without a letter that an address can hold still has an id', () => {
    expect(idsOf(named('集群'))).toEqual(['cluster', 'demo'])
  })
})
