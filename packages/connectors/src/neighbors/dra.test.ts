import { describe, expect, test } from 'vitest'
import { readManifest } from '../kubernetes/manifest/read-manifest.ts'
import { parseClaim } from '../kubernetes/read/parse-claim.ts'
import { parseResourceSlice } from '../kubernetes/read/parse-device.ts'
import { parseNode } from '../kubernetes/read/parse-node.ts'
import { parsePod } from '../kubernetes/read/parse-pod.ts'
import {
  asServed,
  boundTo,
  drawn,
  inventoryOf,
  nodeObject,
  objectsIn,
  ofKind,
  recorded,
  recordedObjects,
  recordings,
  snapshotOf,
  NOTHING,
  yamlBlocks,
  type Recorded,
} from './recorded.fixture.ts'

const NVIDIA_PAGE = 'dra/nvidia/docs-resourceslice-attributes.md'

/** A slice with devices of a page, which shows them without one. */
const sliceWith = (driver: string, devices: readonly unknown[]): Recorded =>
  asServed({
    kind: 'ResourceSlice',
    metadata: { name: 'slice' },
    spec: { driver, nodeName: 'n', pool: { name: 'n', generation: 1, resourceSliceCount: 1 }, devices },
  })

/** Lists of devices that a page shows, each as the YAML of a list. */
const deviceLists = (file: string): ReadonlyArray<readonly unknown[]> =>
  [...recorded(file).matchAll(/^```yaml\n(?<block>- attributes:[\s\S]*?)^```/gmu)]
    .flatMap(({ groups }) => objectsIn(`devices:\n${groups?.['block'] ?? ''}`))
    .map(({ devices }) => (Array.isArray(devices) ? devices : []))

const read = (slices: readonly Recorded[]) => slices.flatMap((slice) => parseResourceSlice(slice) ?? [])

/** What the slices make of a node that says nothing of GPUs itself. */
function shown(slices: readonly Recorded[], node = 'n') {
  const snapshot = snapshotOf({ nodes: [parseNode(nodeObject(node, {}))], slices: read(slices) })
  return {
    gpus: drawn(snapshot),
    problems: snapshot.nodes.flatMap(({ problems }) =>
      problems.map(({ code }) => code).filter((code) => code !== 'unknown-board'),
    ),
  }
}

const asGpus = (slice: Recorded): Recorded =>
  JSON.parse(JSON.stringify(slice).replaceAll('resource-driver.example.com', 'gpu.example.com'))

const slicesOf = (version: string) =>
  read(
    objectsIn(recorded(`dra/k8s-api-testdata/v1.36.0-${version}.ResourceSlice.yaml`).replace('driverValue', 'gpu.any')),
  )

describe.skipIf(recordings === undefined)('recorded ResourceSlices', () => {
  test('of the example driver: eight GPUs', () => {
    const [slice] = read(recordedObjects('dra/example-driver/resourceslice-output.yaml'))
    expect(slice).toMatchObject({ driver: 'gpu.example.com', node: 'dra-example-driver-cluster-worker' })
    expect(slice?.devices).toHaveLength(8)
    expect(slice?.devices[1]).toEqual({
      name: 'gpu-1',
      kind: 'gpu',
      uuid: 'gpu-93d37703-997c-c46f-a531-755e3e0dc2ac',
      product: 'LATEST-GPU-MODEL',
    })
  })

  test('of Intel: two GPUs of which it has no name', () => {
    const slices = recordedObjects('dra/intel/resourceslice-output.yaml')
    expect(shown(slices, 'rpl-s')).toEqual({
      gpus: ['rpl-s rpl-s#0 unknown [whole -]', 'rpl-s rpl-s#1 unknown [whole -]'],
      problems: [],
    })
    expect(read(slices)[0]?.devices.map(({ product }) => product)).toEqual([undefined, undefined])
  })

  test('of NVIDIA: a MIG device beside its GPU is one GPU, and so is the same GPU as a passthrough device', () => {
    const [gpu = [], mig = [], vfio = []] = deviceLists(NVIDIA_PAGE)
    const id = 'GPU-2fa81118-5a5f-aa66-7660-471eed407181'
    expect(shown([sliceWith('gpu.nvidia.com', gpu)]).gpus).toEqual([`n ${id} A100-PCIE-40GB [whole -]`])
    expect(shown([sliceWith('gpu.nvidia.com', [...gpu, ...mig])]).gpus).toEqual([`n ${id} A100-PCIE-40GB [1g.5gb -]`])
    expect(shown([sliceWith('gpu.nvidia.com', [...gpu, ...vfio])]).gpus).toEqual([`n ${id} A100-PCIE-40GB [whole -]`])
  })

  test('of AMD: a GPU, and the partitions of one, by the deviceID that they share', () => {
    const [slice] = ofKind(recordedObjects('dra/amd/docs-demo.md'), 'ResourceSlice')
    const [device] = objectsIn(JSON.stringify(slice)).flatMap(({ spec }) => spec['devices'])
    expect(shown([sliceWith('gpu.amd.com', [device])]).gpus).toEqual(['n n#0 Instinct-MI300X [whole -]'])
    const partitions = Array.from({ length: 8 }, (_, index) =>
      JSON.parse(
        JSON.stringify(device)
          .replace('"amdgpu"', '"amdgpu-partition"')
          .replace('spx_nps1', 'cpx_nps1')
          .replace('gpu-0-128', `gpu-${index}-${128 + index}`),
      ),
    )
    expect(shown([sliceWith('gpu.amd.com', partitions)]).gpus).toEqual(['n n#0 Instinct-MI300X [whole -]'])
  })

  test('of partitionable devices: only counters say how many GPUs there are', () => {
    const slices = recordedObjects('dra/kep-4815/block6.yaml').map(asGpus)
    expect(slices.map(({ spec }) => Object.keys(spec).at(-1))).toEqual(['sharedCounters', 'devices'])
    expect(shown(slices, 'my-node')).toEqual({ gpus: ['my-node my-node#0 unknown [whole -]'], problems: [] })
    expect(read(slices)[1]?.devices.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'gpu-0 gpu',
      'gpu-0-partition-0 partition',
      'gpu-0-partition-1 partition',
      'gpu-0-partition-2 partition',
      'gpu-0-partition-3 partition',
    ])
  })

  test('of MIG that is cut on demand: one GPU, no device before one is allocated, and a pool that is not whole yet', () => {
    const slices = yamlBlocks(recorded('dra/kueue-dra/partitionable-mig-counters.md.txt'))
      .slice(0, 1)
      .flatMap(objectsIn)
      .map(({ spec }) => asServed({ kind: 'ResourceSlice', metadata: { name: 's' }, spec }))
    expect(slices).toHaveLength(2)
    expect(shown(slices, 'node1')).toEqual({ gpus: ['node1 node1#0 unknown [whole -]'], problems: [] })
    const half = shown(slices.slice(1), 'node1')
    expect(half).toEqual({ gpus: ['node1 node1#0 unknown [whole -]'], problems: ['dra-pool-incomplete'] })
  })

  test('read alike in v1, v1beta2 and v1beta1, whose devices are wrapped', () => {
    expect(slicesOf('v1')).toEqual([
      {
        driver: 'gpu.any',
        pool: 'nameValue',
        generation: 2,
        slicesInPool: 3,
        node: 'nodeNameValue',
        gpus: ['counterSetValue'],
        devices: [{ name: 'nameValue', kind: 'gpu', shareable: { capacityKey: 0 } }],
      },
    ])
    expect(slicesOf('v1beta2')).toEqual(slicesOf('v1'))
    expect(slicesOf('v1beta1')).toEqual(slicesOf('v1'))
  })
})

const claimsIn = (objects: readonly Recorded[]) =>
  ofKind(objects, 'ResourceClaim').flatMap((claim) => parseClaim(claim) ?? [])

const said = ({ resource, count }: { readonly resource: string; readonly count: number }) => `${count} ${resource}`

/** What each job of a file asks for, by pod. */
function asked(file: string): readonly string[] {
  const reading = readManifest(recorded(file), 'default')
  return reading.kind === 'refused'
    ? [reading.because]
    : reading.jobs.flatMap(({ kind, name, groups }) =>
        groups.map(
          ({ count, requests, claims, unknown }) =>
            `${kind} ${name}: ${count} × ${[...requests.map(said), ...claims.map(said), ...unknown].join(', ')}`,
        ),
      )
}

const templatesOf = (version: string) =>
  ofKind(recordedObjects(`dra/nvidia/${version}/gpu-test4.yaml`), 'ResourceClaimTemplate').map(({ metadata, spec }) =>
    parseClaim({ metadata, spec: spec['spec'] })?.asked.map(said),
  )

const claimsOf = (version: string) =>
  claimsIn(
    objectsIn(
      recorded(`dra/k8s-api-testdata/v1.36.0-${version}.ResourceClaim.yaml`)
        .replaceAll('driverValue', 'gpu.any')
        .replaceAll('deviceClassNameValue', 'gpu.any')
        .replaceAll('adminAccess: true', 'adminAccess: false'),
    ),
  )

/** A pod that runs with a claim. */
const podWith = (name: string, resourceClaimName: string) =>
  parsePod(
    boundTo(
      asServed({
        kind: 'Pod',
        metadata: { name, namespace: 'team' },
        spec: { containers: [{ name: 'c' }], resourceClaims: [{ name: 'gpu', resourceClaimName }] },
      }),
      'n',
    ),
  )

const elsewhereOf = (spec: unknown) => {
  const claims = claimsIn(
    objectsIn(JSON.stringify({ kind: 'ResourceClaim', metadata: { name: 'c', namespace: 'team' }, spec })).map(
      asServed,
    ),
  )
  const pod = podWith('a', 'c')
  const waiting = pod === undefined ? [] : [{ ...pod, node: undefined, phase: 'Pending' as const }]
  return inventoryOf({ pods: waiting, claims }).pods.map(({ scheduling }) => scheduling.elsewhere)
}

describe.skipIf(recordings === undefined)('recorded ResourceClaims', () => {
  test.each([
    ['v1/gpu-test1.yaml', ['Pod pod1: 1 × 1 nvidia.com/gpu', 'Pod pod2: 1 × 1 nvidia.com/gpu']],
    ['v1beta1/gpu-test1.yaml', ['Pod pod1: 1 × 1 nvidia.com/gpu', 'Pod pod2: 1 × 1 nvidia.com/gpu']],
    ['v1/gpu-test4.yaml', ['Deployment pod: 4 × the claim mig-devices chooses devices by rules that are not judged']],
    [
      'v1beta1/gpu-test4.yaml',
      ['Deployment pod: 4 × the claim mig-devices chooses devices by rules that are not judged'],
    ],
    ['v1/gpu-test5.yaml', ['Pod pod0: 1 × 2 nvidia.com/gpu']],
    ['extended-resources-gpu-full.yaml', ['Pod gpu-full-pod: 1 × 1 nvidia.com/gpu']],
    ['extended-resources-mig-1g-12gb.yaml', ['Pod mig-1g12gb-pod: 1 × 1 nvidia.com/mig-1g.12gb']],
  ])('of NVIDIA in %s', (file, expected) => {
    expect(asked(`dra/nvidia/${file}`)).toEqual(expected)
  })

  test('of Intel: by one of two device classes, and by family', () => {
    expect(asked('intel-exporter/dra-pod-inline-first-available.yaml')).toEqual([
      'Pod test-inline-first-available: 1 × the claim claim1 chooses devices by rules that are not judged',
    ])
    expect(claimsIn(recordedObjects('intel-exporter/dra-claim-external-gpu.yaml')).map((claim) => claim.asked)).toEqual(
      [[{ resource: 'gpu.intel.com/xe', count: 1 }]],
    )
  })

  test('of NVIDIA as templates: each profile by its own resource', () => {
    expect(templatesOf('v1')).toEqual([
      ['2 nvidia.com/mig-1g.5gb', '1 nvidia.com/mig-2g.10gb', '1 nvidia.com/mig-3g.20gb'],
    ])
    expect(templatesOf('v1beta1')).toEqual(templatesOf('v1'))
  })

  test('of AMD: two partitions are not two GPUs', () => {
    const [claim] = claimsIn(recordedObjects('dra/amd/example-partitions-same-parent.yaml'))
    expect(claim?.asked).toEqual([{ resource: 'gpu.amd.com', count: 2 }])
  })

  test('for administrators take no GPU', () => {
    const [template] = ofKind(recordedObjects('dra/example-driver/admin-access.yaml'), 'ResourceClaimTemplate')
    expect(parseClaim({ metadata: template?.metadata, spec: template?.spec['spec'] })).toBeUndefined()
    const asAdministrator = recorded('dra/k8s-api-testdata/v1.36.0-v1.ResourceClaim.yaml')
      .replaceAll('driverValue', 'gpu.any')
      .replaceAll('deviceClassNameValue', 'gpu.any')
    expect(claimsIn(objectsIn(asAdministrator))).toEqual([])
  })

  test('read alike in v1, v1beta2 and v1beta1', () => {
    expect(claimsOf('v1')).toEqual([
      {
        namespace: 'namespaceValue',
        name: 'nameValue',
        asked: [{ resource: 'gpu.any', count: 4 }],
        chooses: true,
        allocated: [
          { driver: 'gpu.any', pool: 'poolValue', device: 'deviceValue', consumed: { consumedCapacityKey: 0 } },
        ],
        reservedFor: [],
      },
    ])
    expect(claimsOf('v1beta2')).toEqual(claimsOf('v1'))
    expect(claimsOf('v1beta1')).toEqual(
      claimsOf('v1').map((claim) => ({ ...claim, asked: [{ resource: 'gpu.any', count: 5 }] })),
    )
  })

  test('that share a GPU by its memory have the parts of it that they take, and not all of it each', () => {
    const [gpu = []] = deviceLists(NVIDIA_PAGE)
    // What the GPU offers of its memory is on the page; that it may be shared is said in words on another.
    expect(recorded('dra/nvidia/consumable-shares-README.md')).toContain('`allowMultipleAllocations: true`')
    const [device] = objectsIn(JSON.stringify({ kind: 'Device', ...Object(gpu[0]) }))
    const slice = sliceWith('gpu.nvidia.com', [{ ...device, allowMultipleAllocations: true }])
    const [template] = ofKind(
      recordedObjects('dra/nvidia/consumable-shares-memory-sharing.yaml'),
      'ResourceClaimTemplate',
    )
    const claim = (name: string, reservedFor: readonly string[]) =>
      parseClaim({
        ...asServed({
          kind: 'ResourceClaim',
          metadata: { name, namespace: 'team' },
          spec: Object(template?.spec['spec']),
        }),
        status: {
          allocation: {
            devices: {
              results: [
                {
                  driver: 'gpu.nvidia.com',
                  pool: 'n',
                  device: device?.['name'],
                  consumedCapacity: { memory: '4Gi' },
                  shareID: name,
                },
              ],
            },
          },
          reservedFor: reservedFor.map((pod) => ({ resource: 'pods', name: pod })),
        },
      })
    const snapshot = snapshotOf({
      nodes: [parseNode(nodeObject('n', {}))],
      slices: read([slice]),
      claims: [claim('one', ['a']), claim('two', ['b', 'c'])].filter((each) => each !== undefined),
      pods: [podWith('a', 'one'), podWith('b', 'two'), podWith('c', 'two')].filter((each) => each !== undefined),
    })
    const holders = new Map(snapshot.allocations.map(({ partition, pod: holder }) => [partition, holder]))
    expect(
      snapshot.nodes[0]?.gpus.flatMap(({ partitions }) =>
        partitions.map(
          (part) => `${part.kind === 'shared' ? (part.share ?? 0).toFixed(2) : 'whole'} ${holders.get(part.id)}`,
        ),
      ),
    ).toEqual(['0.10 team/a', '0.05 team/b', '0.05 team/c', '0.80 undefined'])
    expect(snapshot.pods.map(({ requests }) => requests.map(said))).toEqual([
      ['1 nvidia.com/gpu.shared'],
      ['1 nvidia.com/gpu.shared'],
      ['1 nvidia.com/gpu.shared'],
    ])
  })

  test('that wait for a part of a GPU, or for what rules choose, are not taken for whole GPUs', () => {
    const [template] = ofKind(
      recordedObjects('dra/nvidia/consumable-shares-memory-sharing.yaml'),
      'ResourceClaimTemplate',
    )
    const words = 'its claim c chooses devices by rules that are not judged'
    expect(elsewhereOf(template?.spec['spec'])).toEqual([words])
    const plain = { name: 'gpu', exactly: { deviceClassName: 'gpu.nvidia.com' } }
    const constraints = [{ requests: ['gpu'], matchAttribute: 'resource.kubernetes.io/pcieRoot' }]
    expect(elsewhereOf({ devices: { requests: [plain] } })).toEqual([undefined])
    expect(elsewhereOf({ devices: { requests: [plain], constraints } })).toEqual([words])
    const either = { name: 'gpu', firstAvailable: [plain.exactly, { deviceClassName: 'big.gpu.example.com' }] }
    expect(elsewhereOf({ devices: { requests: [either] } })).toEqual([words])
  })

  test('that the scheduler made for an extended resource are not counted beside it', () => {
    const text = recorded('dra/nvidia/extended-resources-mig-1g-12gb.yaml')
    const [pod = NOTHING] = ofKind(objectsIn(text), 'Pod')
    const claim = text
      .slice(text.indexOf('Expected auto-generated ResourceClaim'), text.indexOf('Expected pod status field'))
      .replaceAll(/^#(?: {3})?/gmu, '')
    const status = {
      phase: 'Running',
      extendedResourceClaimStatus: { resourceClaimName: 'mig-1g12gb-pod-extended-resources-8r9k5' },
    }
    const bound = { ...boundTo(asServed(pod), 'kind-dra-1-worker'), status }
    const claims = claimsIn(objectsIn(claim.slice(claim.indexOf('apiVersion'))).map(asServed))
    expect(claims[0]?.reservedFor).toEqual(['extended-resource-mig-1g12gb/mig-1g12gb-pod'])
    const { pods } = inventoryOf({ pods: [parsePod(bound)].filter((each) => each !== undefined), claims })
    expect(pods.map(({ id, requests }) => ({ id, requests }))).toEqual([
      {
        id: 'extended-resource-mig-1g12gb/mig-1g12gb-pod',
        requests: [{ resource: 'nvidia.com/mig-1g.12gb', count: 1 }],
      },
    ])
  })
})
