import { describe, expect, test } from 'vitest'
import { parseNode } from '../kubernetes/read/parse-node.ts'
import { parsePod } from '../kubernetes/read/parse-pod.ts'
import {
  asServed,
  boundTo,
  drawn,
  inventoryOf,
  nodeObject,
  ofKind,
  recorded,
  recordedObjects,
  recordings,
  snapshotOf,
  type Recorded,
} from './recorded.fixture.ts'

const podsOf = (objects: readonly Recorded[]) => objects.flatMap((pod) => parsePod(pod) ?? [])

const named = (pod: Recorded, name: string, more: Readonly<Record<string, unknown>> = {}): Recorded => ({
  ...pod,
  metadata: { ...pod.metadata, namespace: 'team', name, uid: name, ...more },
})

/** Shares of each GPU by who has them, in percent. */
function sharesOn(snapshot: ReturnType<typeof snapshotOf>): readonly string[] {
  const holders = new Map(snapshot.allocations.map(({ partition, pod }) => [partition, pod]))
  return snapshot.nodes.flatMap(({ gpus }) =>
    gpus.flatMap(({ id, partitions }) =>
      partitions.map((part) => {
        const share = part.kind === 'shared' ? (part.share ?? 1 / part.replicas) : 1
        return `${id} ${Math.round(share * 100)} % ${holders.get(part.id) ?? 'free'}`
      }),
    ),
  )
}

const problemsOf = ({ nodes }: ReturnType<typeof snapshotOf>) =>
  nodes.flatMap(({ problems }) => problems.map(({ code }) => code))

const sharedLabels = (strategy: string, replicas: number) => ({
  'nvidia.com/gpu.present': 'true',
  'nvidia.com/gpu.product': 'Tesla-T4-SHARED',
  'nvidia.com/gpu.count': '8',
  'nvidia.com/gpu.replicas': String(replicas),
  'nvidia.com/gpu.sharing-strategy': strategy,
})

describe.skipIf(recordings === undefined)('time-slicing and MPS of NVIDIA’s device plugin', () => {
  test.each([
    ['timeslicing-node-allocatable.txt', 'time-slicing'],
    ['timeslicing-renamed-node-allocatable.txt', 'time-slicing'],
    ['mps-node-allocatable.txt', 'mps'],
    ['mps-renamed-node-allocatable.txt', 'mps'],
  ])('in %s: 80 devices of ten replicas each are eight GPUs', (file, strategy) => {
    const [, resource = '', count = ''] =
      /(nvidia\.com\/\S+): (\d+)/u.exec(recorded(`time-slicing-mps/config-examples/${file}`)) ?? []
    const snapshot = snapshotOf({
      nodes: [parseNode(nodeObject('n', { labels: sharedLabels(strategy, 10), resources: { [resource]: count } }))],
    })
    expect(snapshot.nodes.map(({ sharing, gpus }) => ({ sharing, gpus: gpus.length }))).toEqual([
      { sharing: { kind: strategy, replicas: 10 }, gpus: 8 },
    ])
    expect(drawn(snapshot)[0]).toBe(`n n#0 T4 ${Array(10).fill('[1/10 -]').join(' ')}`)
    expect(problemsOf(snapshot)).toEqual([])
  })

  test('four pods with a quarter each hold one GPU', () => {
    const pods = ['a', 'b', 'c', 'd'].map((name) =>
      boundTo(
        named(
          asServed({
            kind: 'Pod',
            metadata: {},
            spec: { containers: [{ name: 'c', resources: { limits: { 'nvidia.com/gpu': '1' } } }] },
          }),
          name,
        ),
        'n',
      ),
    )
    const node = nodeObject('n', {
      labels: { ...sharedLabels('time-slicing', 4), 'nvidia.com/gpu.count': '1' },
      resources: { 'nvidia.com/gpu': '4' },
    })
    expect(sharesOn(snapshotOf({ nodes: [parseNode(node)], pods: podsOf(pods) }))).toEqual([
      'n#0 25 % team/a',
      'n#0 25 % team/b',
      'n#0 25 % team/c',
      'n#0 25 % team/d',
    ])
  })
})

const PROTOCOL = 'hami/docs/protocol.md'

/** Ten shares of each GPU, as its device plugin offers them by default. */
const nodeWith = (register: string, count: number) =>
  nodeObject('node67-4v100', {
    annotations: { 'hami.io/node-nvidia-register': register },
    resources: { 'nvidia.com/gpu': String(count) },
  })
const registerBefore = () => /^hami\.io\/node-nvidia-register: (.+)$/mu.exec(recorded(PROTOCOL))?.[1] ?? ''
const registersNow = () =>
  [...recorded('hami/source/node-nvidia-register-json-testdata.txt').matchAll(/`(\[.+?\])`/gu)].map(
    ([, text = '']) => text,
  )

describe.skipIf(recordings === undefined)('HAMi', () => {
  test('registers GPUs, as text before and as JSON now: shares are not taken for GPUs', () => {
    const snapshot = snapshotOf({ nodes: [parseNode(nodeWith(registerBefore(), 20))] })
    expect(snapshot.nodes[0]).toMatchObject({ model: 'V100-PCIE-32GB', sharing: { kind: 'fractions', replicas: 10 } })
    expect(sharesOn(snapshot)).toEqual(['node67-4v100#0 100 % free', 'node67-4v100#1 100 % free'])
    expect(problemsOf(snapshot)).toEqual([])
    const [p4 = '', mig = ''] = registersNow()
    expect(parseNode(nodeWith(p4, 5)).divided).toEqual([
      { id: 'GPU-0', index: 0, count: 5, memory: 8192, product: 'Tesla P4', isMig: false },
    ])
    expect(parseNode(nodeWith(mig, 7))).toMatchObject({
      gpuCount: 1,
      product: 'A100-SXM4-40GB',
      sharing: { kind: 'none' },
    })
  })

  test('gives pods shares of memory and of cores, of which the larger counts', () => {
    const [first = asServed({ kind: 'Pod', metadata: {}, spec: {} }), second = first] = ofKind(
      recordedObjects('hami/examples/use_sharing_card.yaml'),
      'Pod',
    )
    const gpu = 'GPU-0fc3eda5-e98b-a25b-5b0d-cf5c855d1448'
    const given = (memory: number, cores: number) => ({
      annotations: { 'hami.io/vgpu-devices-allocated': `${gpu},NVIDIA,${memory},${cores}:;` },
    })
    // 40 % of the memory and 60 % of the cores, and the other way round.
    const pods = [named(first, 'pod1', given(13_107, 60)), named(second, 'pod2', given(19_661, 40))].map((pod) =>
      boundTo(pod, 'node67-4v100'),
    )
    const nodes = [parseNode(nodeWith(registerBefore(), 20))]
    expect(sharesOn(snapshotOf({ nodes, pods: podsOf(pods) }))).toEqual([
      'node67-4v100#0 100 % free',
      'node67-4v100#1 50 % team/pod1',
      'node67-4v100#1 50 % team/pod2',
    ])
  })

  test('four pods with a quarter each hold one GPU, and one alone leaves three quarters', () => {
    const [pod = asServed({ kind: 'Pod', metadata: {}, spec: {} })] = ofKind(
      recordedObjects('hami/examples/default_use.yaml'),
      'Pod',
    )
    const quarter = { annotations: { 'hami.io/vgpu-devices-allocated': 'GPU-0,NVIDIA,2048,25:;' } }
    const pods = podsOf(['a', 'b', 'c', 'd'].map((name) => boundTo(named(pod, name, quarter), 'node67-4v100')))
    const nodes = [parseNode(nodeWith(registersNow()[0] ?? '', 5))]
    expect(sharesOn(snapshotOf({ nodes, pods }))).toEqual(
      ['a', 'b', 'c', 'd'].map((name) => `node67-4v100#0 25 % team/${name}`),
    )
    expect(sharesOn(snapshotOf({ nodes, pods: pods.slice(0, 1) }))).toEqual([
      'node67-4v100#0 25 % team/a',
      'node67-4v100#0 75 % free',
    ])
  })

  test('says in its protocol what two containers of one pod have of a card', () => {
    const [, allocated = ''] = /^hami\.io\/vgpu-devices-to-allocate: (GPU.+)$/mu.exec(recorded(PROTOCOL)) ?? []
    const [pod = asServed({ kind: 'Pod', metadata: {}, spec: {} })] = ofKind(
      recordedObjects('hami/examples/default_use.yaml'),
      'Pod',
    )
    const [facts] = podsOf([named(pod, 'p', { annotations: { 'hami.io/vgpu-devices-allocated': allocated } })])
    expect(facts?.shares).toEqual([{ gpu: 'GPU-0fc3eda5-e98b-a25b-5b0d-cf5c855d1448', fraction: 0, memory: 8000 }])
  })
})

const VGPU_PAGE = 'volcano/docs/how_to_use_volcano_vgpu.md'
/** The resources that a node, or a container, has on the page. */
const onPage = (...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.map((name) => [
      `volcano.sh/${name}`,
      new RegExp(`volcano\\.sh/${name}: "?(\\d+)`, 'u').exec(recorded(VGPU_PAGE))?.[1] ?? '',
    ]),
  )

describe.skipIf(recordings === undefined)('Volcano’s vGPUs', () => {
  /** Two cards, of which each is given in four shares at most: as text, and as JSON. */
  const registers = [
    'GPU-0,4,44712,NVIDIA-NVIDIA L40,true,hami-core:GPU-1,4,44712,NVIDIA-NVIDIA L40,true,hami-core:',
    JSON.stringify(
      ['GPU-0', 'GPU-1'].map((id, index) => ({ id, index, count: 4, devmem: 44712, type: 'NVIDIA L40', health: true })),
    ),
  ]
  const resources = onPage('vgpu-memory', 'vgpu-number')
  const node = (register = '') =>
    parseNode(nodeObject('n', { annotations: { 'volcano.sh/node-vgpu-register': register }, resources }))

  test('are no GPUs: a node offers eight of two cards', () => {
    expect(resources).toEqual({ 'volcano.sh/vgpu-memory': '89424', 'volcano.sh/vgpu-number': '8' })
    for (const register of registers) {
      const snapshot = snapshotOf({ nodes: [node(register)] })
      expect(snapshot.nodes[0]).toMatchObject({ model: 'L40', sharing: { kind: 'fractions', replicas: 4 } })
      expect(sharesOn(snapshot)).toEqual(['n#0 100 % free', 'n#1 100 % free'])
      expect(problemsOf(snapshot)).toEqual([])
    }
  })

  test('are held by pods that ask for nothing else', () => {
    expect(recorded('volcano/source/vgpu-type.go.txt')).toContain('= "volcano.sh/vgpu-ids-new"')
    const limits = onPage('vgpu-cores')
    const pod = asServed({
      kind: 'Pod',
      metadata: {},
      spec: { containers: [{ name: 'c', resources: { limits: { 'volcano.sh/vgpu-number': 1, ...limits } } }] },
    })
    const given = {
      annotations: { 'volcano.sh/vgpu-ids-new': `GPU-1,NVIDIA,3000,${limits['volcano.sh/vgpu-cores']}:;` },
    }
    const pods = podsOf([boundTo(named(pod, 'half', given), 'n')])
    expect(pods[0]?.requests).toEqual([{ resource: 'volcano.sh/vgpu-number', count: 1 }])
    expect(sharesOn(snapshotOf({ nodes: [node(registers[0])], pods }))).toEqual([
      'n#0 100 % free',
      'n#1 50 % team/half',
      'n#1 50 % free',
    ])
  })
})

const kaiPods = (file: string) => ofKind(recordedObjects(`kai/examples/${file}`), 'Pod')

describe.skipIf(recordings === undefined)('KAI', () => {
  const reservation = asServed({
    kind: 'Pod',
    metadata: {
      name: 'gpu-reservation-0123',
      namespace: 'kai-resource-reservation',
      labels: { 'runai-gpu-group': 'group-1' },
      annotations: { 'run.ai/reserve_for_gpu_index': 'GPU-a' },
    },
    spec: { containers: [{ name: 'c', resources: { limits: { 'nvidia.com/gpu': '1' } } }] },
  })

  test('is asked for shares in annotations, where other schedulers see no GPU', () => {
    const asked = [
      'gpu-sharing.yaml',
      'gpu-memory.yaml',
      'gpu-sharing-init-container.yaml',
      'gpu-sharing-with-mps.yaml',
    ]
    expect(
      asked.flatMap((file) =>
        podsOf(kaiPods(file)).map(({ requests, scheduling }) => ({ requests, unread: scheduling.unread })),
      ),
    ).toEqual(
      ['gpu-fraction', 'gpu-memory', 'gpu-fraction', 'gpu-fraction'].map((name) => ({
        requests: [{ resource: 'nvidia.com/gpu.shared', count: 1 }],
        unread: [name],
      })),
    )
  })

  test('holds a GPU by a pod of its own, whose shares are those of the pods of its group', () => {
    const inGroup = { labels: { 'runai-gpu-group': 'group-1' } }
    const [half = reservation] = kaiPods('gpu-sharing.yaml')
    const [memory = reservation] = kaiPods('gpu-memory.yaml')
    const pods = [
      named(half, 'half', { ...inGroup, annotations: { 'gpu-fraction': '0.5' } }),
      named(memory, 'little', { ...inGroup, annotations: { 'gpu-memory': '2000' } }),
      reservation,
    ].map((pod) => boundTo(pod, 'n'))
    const labels = {
      'nvidia.com/gpu.product': 'Tesla-T4',
      'nvidia.com/gpu.count': '2',
      'nvidia.com/gpu.memory': '15360',
    }
    const nodes = [parseNode(nodeObject('n', { labels, resources: { 'nvidia.com/gpu': '2' } }))]
    const inventory = inventoryOf({ nodes, pods: podsOf(pods) })
    expect(inventory.pods.map(({ id }) => id)).toEqual(['team/half', 'team/little'])
    expect(inventory.nodes[0]?.shares?.map(({ gpu, pod, share }) => `${gpu} ${pod} ${share.toFixed(2)}`)).toEqual([
      'GPU-a team/half 0.50',
      'GPU-a team/little 0.13',
    ])
  })
})

const fraction = (name: string, annotations: Readonly<Record<string, string>>, labels = {}) =>
  named(
    asServed({
      kind: 'Pod',
      metadata: {},
      spec: { schedulerName: 'runai-scheduler', containers: [{ name: 'main', resources: {} }] },
    }),
    name,
    { annotations, labels },
  )
const REQUEST = 'nvidia.com/container.main.gpu-memory.request'
const LIMIT = 'nvidia.com/container.main.gpu-memory.limit'
const GIVEN = 'nvidia.com/container.main.gpus.devices'
const kaiNode = (labels: Readonly<Record<string, string>>, gpus = 2) =>
  parseNode(
    nodeObject('n', {
      labels: { 'nvidia.com/gpu.product': 'Tesla-T4', 'nvidia.com/gpu.count': String(gpus), ...labels },
      resources: { 'nvidia.com/gpu': String(gpus) },
    }),
  )
const sharesIn = (nodes: Parameters<typeof inventoryOf>[0]['nodes'], pods: readonly Recorded[]) =>
  (
    inventoryOf({ nodes: nodes ?? [], pods: podsOf(pods.map((each) => boundTo(each, 'n'))) }).nodes[0]?.shares ?? []
  ).map(({ gpu, pod: id, share }) => `${gpu} ${id} ${share.toFixed(2)}`)

/** As KAI's page on NvFractions has them, which Run:ai 3.0 writes too: kai-scheduler/KAI-Scheduler docs/gpu-sharing/README.md. */
describe('NvFractions of KAI and of Run:ai 3.0', () => {
  test.each([
    [{ [REQUEST]: '7680Mi' }, 1],
    [{ [LIMIT]: '8Gi' }, 1],
    [{ [REQUEST]: '4Gi', [LIMIT]: '8Gi', 'gpu-fraction-num-devices': '2' }, 2],
  ])('%j asks for shares, and where they are found is not known', (annotations, count) => {
    const [facts] = podsOf([fraction('p', annotations)])
    expect(facts?.requests).toEqual([{ resource: 'nvidia.com/gpu.shared', count }])
    expect(facts?.scheduling.unread?.[0]).toBe(Object.keys(annotations)[0])
  })

  test('hold what they request, which is no more than they may grow to', () => {
    const group = { 'runai-gpu-group': 'group-1' }
    const reservation = named(
      asServed({
        kind: 'Pod',
        metadata: {},
        spec: { containers: [{ name: 'c', resources: { limits: { 'nvidia.com/gpu': '1' } } }] },
      }),
      'gpu-reservation-0123',
      {
        namespace: 'kai-resource-reservation',
        labels: group,
        annotations: { 'run.ai/reserve_for_gpu_index': 'GPU-a' },
      },
    )
    const pods = [
      fraction('half', { [REQUEST]: '7680Mi', [LIMIT]: '15360Mi', [GIVEN]: 'GPU-a' }, group),
      // Before NvFractions its request was said in MiB, which KAI leaves beside what it writes anew.
      fraction('little', { 'gpu-memory': '2048', [REQUEST]: '2Gi', [GIVEN]: 'GPU-a' }, group),
    ]
    const nodes = [kaiNode({ 'nvidia.com/gpu.memory': '15360' })]
    expect(sharesIn(nodes, [...pods, reservation])).toEqual(['GPU-a team/half 0.50', 'GPU-a team/little 0.13'])
    // The pod that reserves the GPU may be out of sight: the binder names the GPU as well.
    expect(sharesIn(nodes, pods)).toEqual(['GPU-a team/half 0.50', 'GPU-a team/little 0.13'])
  })

  test('of a fraction on two GPUs are half of each', () => {
    const both = fraction('both', { 'gpu-fraction': '0.5', 'gpu-fraction-num-devices': '2', [GIVEN]: 'GPU-a, GPU-b' })
    expect(sharesIn([kaiNode({})], [both])).toEqual(['GPU-a team/both 0.50', 'GPU-b team/both 0.50'])
  })

  test('are no whole GPU where no label says how much memory the GPU has, which its model tells', () => {
    const quarter = fraction('quarter', { [REQUEST]: '4Gi', [GIVEN]: 'GPU-a' })
    expect(sharesIn([kaiNode({})], [quarter])).toEqual(['GPU-a team/quarter 0.25'])
    const older = fraction('older', { 'gpu-memory': '4096' }, { 'runai-gpu-group': 'GPU-a' })
    expect(sharesIn([kaiNode({})], [older])).toEqual(['GPU-a team/older 0.25'])
  })
})

const amdNode = (resources: Readonly<Record<string, string>>, mode?: string) =>
  parseNode(
    nodeObject('n', {
      labels: {
        'amd.com/gpu.product-name': 'AMD_Instinct_MI300X_OAM',
        ...(mode === undefined ? {} : { 'amd.com/gpu.compute-memory-partition': mode }),
      },
      resources,
    }),
  )

describe.skipIf(recordings === undefined)('AMD’s compute partitions', () => {
  test('of eight GPUs are 64 devices, under the name of GPUs or of their own', () => {
    const page = recorded('amd-exporter/device-plugin-configuration.md')
    const [, single, mixed, each] = [...page.matchAll(/^```bash\n(?<block>(?:amd\.com\/\w+: \d+\n)+)```/gmu)].map(
      ({ groups }) =>
        Object.fromEntries(
          (groups?.['block'] ?? '')
            .trim()
            .split('\n')
            .map((line) => line.split(': ')),
        ),
    )
    expect([single, mixed, each]).toEqual([
      { 'amd.com/gpu': '64' },
      { 'amd.com/cpx_nps4': '64' },
      { 'amd.com/spx_nps1': '5', 'amd.com/cpx_nps1': '24' },
    ])
    const inEight = { gpuCount: 8, sharing: { kind: 'partitions', replicas: 8 } }
    expect(amdNode(single ?? {}, 'cpx_nps4')).toMatchObject(inEight)
    expect(amdNode(mixed ?? {})).toMatchObject(inEight)
    expect(amdNode(each ?? {})).toMatchObject({ gpuCount: 8, sharing: { kind: 'none' } })
    expect(amdNode({ 'amd.com/gpu': '8' }, 'spx_nps1')).toMatchObject({ gpuCount: 8, sharing: { kind: 'none' } })
  })
})
