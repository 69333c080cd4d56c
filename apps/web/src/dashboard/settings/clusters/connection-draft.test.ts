import { describe, expect, test } from 'vitest'

import type { Answer } from '../../../api.ts'
import { connectionWish, EMPTY_DRAFT, metricsDraftOf, metricsOf, type ConnectionDraft } from './connection-draft.ts'

type Connection = Answer<'connectionsList'>['connections'][number]
const NONE = {
  exporterTargets: [],
  prometheusUrl: null,
  prometheusTenant: null,
  prometheusMatchers: null,
  prometheusUser: null,
  prometheusAwsRegion: null,
  prometheusAwsKeyId: null,
  prometheusQueries: null,
  prometheusQuerySeconds: null,
  prometheusSecrets: [],
}
const connection = (change: Partial<Connection>): Connection => ({ ...NONE, ...change }) as unknown as Connection
const draft = (change: Partial<ConnectionDraft>): ConnectionDraft => ({ ...EMPTY_DRAFT, ...change })

describe('what is sent of a new connection', () => {
  const typed = draft({ kubeconfig: 'apiVersion: v1', context: 'prod', prometheusUrl: 'http://prometheus:9090' })

  test('is the kubeconfig with its context, and where the metrics are', () =>
    expect(connectionWish(typed)).toEqual({
      kind: 'kubeconfig',
      kubeconfig: 'apiVersion: v1',
      context: 'prod',
      operatorNamespace: 'gpu-operator',
      prometheusUrl: 'http://prometheus:9090',
    }))

  test('has no kubeconfig where Septet runs in the cluster, though one was typed before', () => {
    const wish = connectionWish({ ...typed, kind: 'in-cluster' })
    expect(wish).toMatchObject({ kind: 'in-cluster', prometheusUrl: 'http://prometheus:9090' })
    expect(Object.keys(wish)).not.toContain('kubeconfig')
  })

  test('is nothing but its kind for an agent, which finds the metrics itself', () =>
    expect(connectionWish({ ...typed, kind: 'agent' })).toEqual({ kind: 'agent' }))
})

describe('what is sent of a source of metrics', () => {
  const both = draft({ prometheusUrl: 'http://p', prometheusToken: 'secret', exporterTargets: ['10.0.0.4:9400'] })

  test.each([
    ['prometheus', { prometheusUrl: 'http://p', prometheusToken: 'secret' }],
    ['exporters', { exporterTargets: ['10.0.0.4:9400'] }],
    ['none', {}],
  ] as const)('where %s was chosen is %j', (metrics, sent) => {
    const { kind: _kind, kubeconfig: _kubeconfig, context: _context, operatorNamespace: _namespace, ...rest } = both
    expect(metricsOf({ ...rest, metrics })).toEqual(sent)
  })

  test('is no secret without an address to send it to', () =>
    expect(metricsOf({ metrics: 'prometheus', prometheusToken: 'secret' })).toEqual({}))
})

describe('the source of metrics of a connection, to be changed', () => {
  test.each([
    [{ prometheusUrl: 'http://p' }, 'prometheus'],
    [{ exporterTargets: ['10.0.0.4:9400'] }, 'exporters'],
    [{}, 'none'],
  ] as const)('of %j is %s', (change, metrics) =>
    expect(metricsDraftOf(connection(change as Partial<Connection>)).metrics).toBe(metrics),
  )

  test('is sent as it was where nothing was typed, and its secrets stay', () => {
    const kept = connection({
      prometheusUrl: 'https://mimir.example',
      prometheusTenant: 'gpu',
      prometheusQueries: 8,
      prometheusSecrets: ['prometheusToken'],
    })
    expect(metricsOf(metricsDraftOf(kept))).toEqual({
      prometheusUrl: 'https://mimir.example',
      prometheusTenant: 'gpu',
      prometheusQueries: 8,
    })
  })
})
