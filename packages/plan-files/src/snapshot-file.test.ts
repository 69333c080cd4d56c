import { instant, mib, seconds, type ClusterSnapshot } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { readSnapshotFile, snapshotFileText } from './snapshot-file.ts'

const GPU = {
  id: 'GPU-1',
  node: 'node-a',
  index: 0,
  model: 'A100-SXM4-80GB',
  migEnabled: true,
  fault: undefined,
} as const
const COMMON = { namespace: 'lab', name: 'one', requests: [{ resource: 'nvidia.com/mig-3g.40gb', count: 1 }] } as const

const SNAPSHOT: ClusterSnapshot = {
  cluster: 'drawn',
  takenAt: instant(1_790_000_000_000),
  serverVersion: 'v1.34.1',
  nodes: [
    {
      name: 'node-a',
      pool: '',
      ready: true,
      schedulable: true,
      createdAt: instant(1_700_000_000_000),
      model: 'A100-SXM4-80GB',
      product: 'NVIDIA-A100-SXM4-80GB',
      mig: { strategy: 'mixed', config: undefined, state: undefined },
      sharing: { kind: 'none' },
      allocatable: { 'nvidia.com/mig-3g.40gb': 1 },
      room: { cpuMilli: undefined, memory: undefined, labels: { zone: 'a' }, taints: [] },
      gpus: [
        {
          ...GPU,
          identified: 'telemetry',
          unrequestedSince: instant(1_789_999_990_000),
          partitions: [
            {
              kind: 'mig',
              id: 'GPU-1/gi-1',
              gpu: 'GPU-1',
              profile: '3g.40gb',
              instance: '1',
              placement: { start: 0, size: 4 },
              placementSource: 'inferred',
            },
          ],
        },
      ],
      problems: [],
    },
  ],
  pods: [
    {
      ...COMMON,
      id: 'lab/one',
      uid: 'u1',
      node: 'node-a',
      phase: 'Running',
      workload: 'lab/Pod/one',
      scheduling: {
        cpuMilli: 0,
        memory: mib(0),
        nodeSelector: {},
        nodeTerms: [],
        tolerations: [],
        priority: 0,
        managed: true,
        evictable: true,
      },
      createdAt: instant(1),
      startedAt: instant(2),
      waiting: undefined,
      endsBy: instant(3),
      grace: seconds(30),
    },
  ],
  workloads: [
    {
      ...COMMON,
      id: 'lab/Pod/one',
      kind: 'Pod',
      class: 'unknown',
      queue: undefined,
      status: 'running',
      pods: ['lab/one'],
      createdAt: instant(1),
      startedAt: instant(2),
      waiting: undefined,
    },
  ],
  allocations: [
    { partition: 'GPU-1/gi-1', pod: 'lab/one', workload: 'lab/Pod/one', since: instant(2), evidence: 'label' },
  ],
  queues: [],
  budgets: [{ id: 'lab/budget', pods: ['lab/one'], allowed: 0 }],
  quotas: [],
  problems: [],
}

const TEXT = snapshotFileText(SNAPSHOT)

/** The file with one place of it changed. */
function changed(path: readonly (string | number)[], value: unknown): string {
  const file: unknown = JSON.parse(TEXT)
  const last = path.at(-1) ?? ''
  // oxlint-disable-next-line typescript/no-explicit-any -- the test breaks the shape on purpose
  const place = path.slice(0, -1).reduce((at: any, key) => at[key], file)
  place[last] = value
  return JSON.stringify(file)
}

const errorsOf = (text: string): readonly string[] => {
  const read = readSnapshotFile(text)
  return read.kind === 'refused' ? read.errors : []
}

describe('a saved snapshot', () => {
  test('is read back as it was', () => {
    expect(readSnapshotFile(TEXT)).toEqual({ kind: 'read', snapshot: SNAPSHOT })
  })

  test.each([
    ['', 'no JSON, or ends too early'],
    [TEXT.slice(0, TEXT.length / 2), 'no JSON, or ends too early'],
    ['[]', 'The file: '],
    ['{"format":"other/1","snapshot":{}}', 'format: '],
    [changed(['snapshot', 'nodes', 0, 'ready'], 'yes'), 'snapshot.nodes.0.ready: '],
    [changed(['snapshot', 'nodes', 0, 'gpus', 0, 'index'], -1), 'snapshot.nodes.0.gpus.0.index: '],
    [changed(['snapshot', 'nodes', 0, 'gpus', 0, 'partitions', 0, 'kind'], 'half'), 'partitions.0.kind: '],
    [changed(['snapshot', 'pods', 0, 'requests', 0, 'count'], 1.5), 'snapshot.pods.0.requests.0.count: '],
    [changed(['snapshot', 'pods', 0, 'requests', 0, 'count'], 1e12), 'snapshot.pods.0.requests.0.count: '],
    [changed(['snapshot', 'takenAt'], 'today'), 'snapshot.takenAt: '],
  ])('that is none is refused with the place: case %#', (text, words) => {
    expect(errorsOf(text).join(' ')).toContain(words)
  })

  test.each([
    [changed(['snapshot', 'pods', 0, 'node'], 'node-z'), 'Pod lab/one runs on node-z, which is not among the nodes.'],
    [changed(['snapshot', 'allocations', 0, 'partition'], 'GPU-9'), 'lab/one holds GPU-9, which no GPU has.'],
    [changed(['snapshot', 'allocations', 0, 'pod'], 'x/y'), 'GPU-1/gi-1 is held by x/y, which is not among the pods.'],
    [changed(['snapshot', 'nodes', 1], SNAPSHOT.nodes[0]), 'The node node-a is there twice.'],
    [changed(['snapshot', 'nodes', 0, 'gpus', 0, 'node'], 'b'), 'GPU GPU-1 stands under node-a and names b.'],
    [changed(['snapshot', 'pods', 0, 'workload'], 'w'), 'Pod lab/one belongs to w, which is not among the workloads.'],
  ])('that contradicts itself is refused with both names: case %#', (text, sentence) => {
    expect(errorsOf(text)).toContain(sentence)
  })

  test('with many errors names the first ones and counts the rest', () => {
    const text = changed(
      ['snapshot', 'pods'],
      Array.from({ length: 50 }, () => ({})),
    )
    expect(errorsOf(text)).toHaveLength(9)
    expect(errorsOf(text).at(-1)).toMatch(/^There are \d+ more\.$/u)
  })

  test('cannot reach into what all objects have in common', () => {
    const hostile = TEXT.replace('"zone": "a"', '"__proto__": "polluted", "zone": "a"')
    readSnapshotFile(hostile)
    expect('polluted' in {}).toBe(false)
  })
})
