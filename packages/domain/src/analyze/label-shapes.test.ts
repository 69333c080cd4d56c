import { describe, expect, test } from 'vitest'

import type { Inventory, InventoryNode } from '../cluster/inventory.ts'
import { UNKNOWN_ROOM } from '../cluster/scheduling.ts'
import { instant, ratio } from '../units.ts'
import { expectedOf } from './quality-expected.ts'
import { judgeReading } from './quality.ts'
import type { DeviceSample, JudgedSample, TelemetryReading } from './sample.ts'
import { holderIn, hostsIn, type LabelTexts } from './series-labels.ts'

const AT = instant(1_700_000_000_000)

const node = (name: string, knownAs: readonly string[], uuids: readonly string[] = []): InventoryNode =>
  ({
    name,
    knownAs,
    ready: true,
    gpuCount: 8,
    allocatable: {},
    sharing: { kind: 'none' },
    mig: { strategy: 'none' },
    room: UNKNOWN_ROOM,
    devices: uuids.map((uuid) => ({ kind: 'gpu', uuid })),
  }) as unknown as InventoryNode

const OPERATOR = 'gpu-operator/nvidia-dcgm-exporter'
const inventory = {
  nodes: [
    node('gpu-1', ['10.0.0.1', 'gpu-1.corp.example', `${OPERATOR}-aaaaa`, '10.1.0.1'], ['GPU-published']),
    node('ip-10-0-0-2.eu-west-1.compute.internal', ['10.0.0.2', `${OPERATOR}-bbbbb`, '10.1.0.2']),
    node('twin.east', ['10.0.0.3', '192.168.0.9']),
    node('twin.west', ['10.0.0.4', '192.168.0.9']),
    node('i-0abc', ['10.0.0.5', 'RACK-7', 'fd00::5', 'monitoring/dcgm-exporter-ccccc', '10.0.0.5']),
    node('pool-a-x1', ['10.0.0.6', 'gke-managed-system/dcgm-exporter-ddddd', '10.1.0.6']),
  ],
  pods: [
    { id: 'ml/train-0', node: 'gpu-1' },
    { id: 'ml/on-west', node: 'twin.west' },
    { id: 'ml/dcgm-bench', node: 'gpu-1' },
  ],
} as unknown as Inventory
const TWO = 'ip-10-0-0-2.eu-west-1.compute.internal'

/** The device of a series with these labels, as a reading of the cluster judges it. */
const judged = (...series: readonly LabelTexts[]): readonly JudgedSample[] =>
  judgeReading({ reading: reading(...series), expected: expectedOf(inventory), memory: undefined, now: AT }).samples

function reading(...series: readonly LabelTexts[]): TelemetryReading {
  const samples = series.map((labels): DeviceSample => {
    const holder = holderIn(labels)
    return {
      at: AT,
      node: labels['Hostname'] ?? labels['hostname'] ?? '',
      gpu: labels['UUID'] ?? 'GPU-x',
      index: Number(labels['gpu'] ?? 0),
      model: 'Tesla T4',
      busy: ratio(0.5),
      hosts: hostsIn(labels, holder),
      ...(holder === undefined ? {} : { holder }),
    }
  })
  return { at: AT, samples, targets: [], problems: [] }
}

const OWN_A = { namespace: 'gpu-operator', pod: 'nvidia-dcgm-exporter-aaaaa', container: 'nvidia-dcgm-exporter' }
const MONITORED = { endpoint: 'gpu-metrics', service: 'nvidia-dcgm-exporter', job: 'nvidia-dcgm-exporter' }
const HELD = { namespace: 'ml', pod: 'train-0', container: 'main' }
const EXPORTED = { exported_namespace: 'ml', exported_pod: 'train-0', exported_container: 'main' }
const OLD = { pod_namespace: 'ml', pod_name: 'train-0', container_name: 'main' }
const HOSTED = 'nvidia-dcgm-exporter-aaaaa'

type Row = readonly [shape: string, labels: LabelTexts, node: string | undefined, pod: string | undefined]

const SHAPES: readonly Row[] = [
  ['scraped directly, the node by its name', { Hostname: 'gpu-1', ...HELD }, 'gpu-1', 'ml/train-0'],
  ['the label in lower case', { hostname: 'gpu-1' }, 'gpu-1', undefined],
  ['the host in upper case', { Hostname: 'GPU-1' }, 'gpu-1', undefined],
  ['a full name where the node has the short one', { Hostname: 'gpu-1.corp.example' }, 'gpu-1', undefined],
  ['a short name where the node has the full one', { Hostname: 'ip-10-0-0-2' }, TWO, undefined],
  ['the host name of a node that is named otherwise', { Hostname: 'rack-7' }, 'i-0abc', undefined],
  ['an address', { Hostname: '10.0.0.2' }, TWO, undefined],
  ['a short name of two nodes', { Hostname: 'twin' }, undefined, undefined],
  [
    'a short name of two nodes, and the pod of one',
    { Hostname: 'twin', namespace: 'ml', pod: 'on-west' },
    'twin.west',
    'ml/on-west',
  ],
  ['an address of two nodes', { instance: '192.168.0.9:9400' }, undefined, undefined],
  ['gpu-monitoring-tools of 2019', { ...OLD }, 'gpu-1', 'ml/train-0'],
  [
    'the same by a ServiceMonitor',
    { ...OLD, ...OWN_A, ...MONITORED, instance: '10.1.0.1:9400' },
    'gpu-1',
    'ml/train-0',
  ],
  [
    'the same beside a pod_name of the scrape',
    {
      exported_pod_name: 'train-0',
      pod_namespace: 'ml',
      container_name: 'main',
      namespace: 'gpu-operator',
      pod_name: HOSTED,
      instance: '10.1.0.1:9400',
    },
    'gpu-1',
    'ml/train-0',
  ],
  [
    'the exporter’s pod for the host, and the node beside it',
    { Hostname: HOSTED, node: 'gpu-1', instance: 'x:9400' },
    'gpu-1',
    undefined,
  ],
  ['the exporter’s pod for the host alone', { Hostname: HOSTED }, 'gpu-1', undefined],
  [
    'a ServiceMonitor, without honored labels',
    { Hostname: HOSTED, ...EXPORTED, ...OWN_A, ...MONITORED, instance: '10.1.0.1:9400' },
    'gpu-1',
    'ml/train-0',
  ],
  [
    'the same on an idle GPU',
    { Hostname: HOSTED, ...OWN_A, ...MONITORED, instance: '10.1.0.1:9400' },
    'gpu-1',
    undefined,
  ],
  [
    'a ServiceMonitor with honored labels',
    { Hostname: 'gone', ...HELD, ...MONITORED, instance: '10.1.0.1:9400' },
    'gpu-1',
    'ml/train-0',
  ],
  [
    'a PodMonitor',
    { Hostname: HOSTED, ...EXPORTED, ...OWN_A, endpoint: 'metrics', instance: '10.1.0.1:9400' },
    'gpu-1',
    'ml/train-0',
  ],
  [
    'annotations, with kubernetes_* labels',
    {
      ...HELD,
      instance: '10.1.0.2:9400',
      kubernetes_namespace: 'gpu-operator',
      kubernetes_pod_name: 'nvidia-dcgm-exporter-bbbbb',
    },
    undefined,
    'ml/train-0',
  ],
  [
    'annotations on an idle GPU',
    {
      instance: '10.1.0.2:9400',
      kubernetes_namespace: 'gpu-operator',
      kubernetes_pod_name: 'nvidia-dcgm-exporter-bbbbb',
    },
    TWO,
    undefined,
  ],
  [
    'annotations, with kubernetes_node',
    { Hostname: 'a1b2c3', kubernetes_node: TWO, instance: '10.9.9.9:9400' },
    TWO,
    undefined,
  ],
  [
    'endpoints, whose namespace alone is renamed',
    {
      Hostname: 'a1b2c3',
      exported_namespace: 'ml',
      namespace: 'gpu-operator',
      pod: 'train-0',
      service: 'nvidia-dcgm-exporter',
      node: 'gpu-1',
      instance: '10.1.0.1:9400',
    },
    'gpu-1',
    'ml/train-0',
  ],
  [
    'the VictoriaMetrics agent',
    { Hostname: HOSTED, ...EXPORTED, ...OWN_A, job: 'monitoring/dcgm', instance: '10.1.0.1:9400' },
    'gpu-1',
    'ml/train-0',
  ],
  [
    'Google’s managed collection',
    {
      ...EXPORTED,
      namespace: 'gke-managed-system',
      pod: 'dcgm-exporter-ddddd',
      container: 'dcgm-exporter',
      cluster: 'c',
      location: 'eu',
      instance: 'pool-a-x1:metrics',
    },
    'pool-a-x1',
    'ml/train-0',
  ],
  [
    'the same, whose instance is the pod',
    {
      namespace: 'gke-managed-system',
      pod: 'dcgm-exporter-ddddd',
      container: 'dcgm-exporter',
      cluster: 'c',
      instance: 'dcgm-exporter-ddddd:9400',
    },
    'pool-a-x1',
    undefined,
  ],
  [
    'Azure’s managed Prometheus',
    {
      Hostname: '',
      kubernetes_namespace: 'monitoring',
      kubernetes_pod_name: 'dcgm-exporter-ccccc',
      instance: '10.0.0.5:9400',
      cluster: 'aks',
    },
    'i-0abc',
    undefined,
  ],
  [
    'the OpenTelemetry collector',
    { Hostname: HOSTED, ...HELD, k8s_node_name: 'gpu-1', k8s_pod_name: HOSTED, k8s_namespace_name: 'gpu-operator' },
    'gpu-1',
    'ml/train-0',
  ],
  ['an IPv6 address', { instance: '[fd00::5]:9400' }, 'i-0abc', undefined],
  ['a UUID that a DRA driver publishes', { UUID: 'GPU-published', Hostname: 'a1b2c3' }, 'gpu-1', undefined],
  [
    'a federated engine',
    {
      Hostname: HOSTED,
      exported_instance: '10.1.0.1:9400',
      instance: '10.0.0.2:9090',
      exported_namespace: 'ml',
      exported_pod: 'train-0',
    },
    'gpu-1',
    'ml/train-0',
  ],
  [
    'the address of an exporter in another cluster',
    { Hostname: 'other-7', ...OWN_A, pod: 'nvidia-dcgm-exporter-zzzzz', ...MONITORED, instance: '10.1.0.1:9400' },
    undefined,
    undefined,
  ],
  ['a loopback address', { instance: 'localhost:9400' }, undefined, undefined],
  [
    'a pod that works and is called like an exporter',
    { Hostname: 'gpu-1', namespace: 'ml', pod: 'dcgm-bench' },
    'gpu-1',
    'ml/dcgm-bench',
  ],
]

describe('node and pod of a series', () => {
  test.each(SHAPES)('%s', (...[, labels, where, pod]) => {
    const [{ node: found, holder } = { node: '' }] = judged(labels)
    const isNode = inventory.nodes.some(({ name }) => name === found)
    expect([isNode ? found : undefined, holder && `${holder.namespace}/${holder.pod}`]).toEqual([where, pod])
  })
})

describe('a device that no label of its own places', () => {
  const url = 'http://10.7.7.7:9400/metrics'
  const silent = (gpu: string, more: LabelTexts = {}): LabelTexts => ({
    UUID: `GPU-${gpu}`,
    gpu,
    exported_instance: url,
    ...more,
  })

  test('is where another one of its exporter is held', () => {
    expect(judged(silent('0'), silent('1', OLD)).map(({ node: found }) => found)).toEqual(['gpu-1', 'gpu-1'])
  })
  test('but not where that exporter speaks of several machines', () => {
    const all = judged(silent('1', OLD), silent('0'), { ...silent('0'), UUID: 'GPU-other' })
    expect(all.map(({ node: found }) => found)).toEqual(['', '', 'gpu-1'])
  })
  test('stays where it was last', () => {
    const labels = { UUID: 'GPU-7', instance: '10.7.7.7:9400' }
    const first = judgeReading({
      reading: reading({ ...labels, ...OLD }),
      expected: expectedOf(inventory),
      memory: undefined,
      now: AT,
    })
    const next = judgeReading({
      reading: reading(labels),
      expected: expectedOf(inventory),
      memory: first.memory,
      now: AT,
    })
    expect(next.samples.map(({ node: found, busy }) => [found, busy])).toEqual([['gpu-1', 0.5]])
  })
  test('keeps the name of its node when that is removed', () => {
    const labels = { UUID: 'GPU-7', Hostname: HOSTED, instance: '10.1.0.1:9400' }
    const others = { ...inventory, nodes: inventory.nodes.slice(1), pods: [] }
    const next = [inventory, others, others].reduce<ReturnType<typeof judgeReading> | undefined>(
      (last, known) =>
        judgeReading({ reading: reading(labels), expected: expectedOf(known), memory: last?.memory, now: AT }),
      undefined,
    )
    expect(next?.samples.map(({ node: found }) => found)).toEqual(['gpu-1'])
  })
  test('is told in no sentence of a node', () => {
    const found = judgeReading({
      reading: reading({ Hostname: '' }),
      expected: expectedOf(inventory),
      memory: undefined,
      now: AT,
    })
    expect(found.problems.map(({ object }) => object)).not.toContain('node/')
  })
})
