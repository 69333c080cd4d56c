// The same day of one node and one namespace, in the shapes that OpenCost from 1.108 to 1.121 and Kubecost answer in.

const TIMES = {
  window: { start: '2026-07-01T00:00:00Z', end: '2026-07-02T00:00:00Z' },
  start: '2026-07-01T00:00:00Z',
  end: '2026-07-02T00:00:00Z',
  minutes: 1440,
}

/** A node in an answer of assets. */
export const node = (more: object = {}) => ({
  type: 'Node',
  properties: {
    category: 'Compute',
    provider: 'AWS',
    account: '1234',
    project: 'p',
    service: 'Kubernetes',
    cluster: 'cluster-one',
    name: 'gpu-0',
    providerID: 'i-0abc',
  },
  labels: { node_kubernetes_io_instance_type: 'p5.48xlarge' },
  ...TIMES,
  nodeType: 'p5.48xlarge',
  cpuCores: 192,
  ramBytes: 2_199_023_255_552,
  cpuCoreHours: 4608,
  ramByteHours: 52_776_558_133_248,
  GPUHours: 192,
  cpuBreakdown: { idle: 1, other: 0, system: 0, user: 0 },
  ramBreakdown: { idle: 1, other: 0, system: 0, user: 0 },
  preemptible: 0,
  discount: 0,
  cpuCost: 145.7,
  gpuCost: 182.4,
  gpuCount: 8,
  ramCost: 208.3,
  adjustment: 0,
  totalCost: 536.4,
  ...more,
})

const disk = {
  type: 'Disk',
  properties: { category: 'Storage', cluster: 'cluster-one', name: 'd' },
  ...TIMES,
  byteHoursUsed: null,
  breakdown: { idle: 1, other: 0, system: 0, user: 0 },
  adjustment: 0,
  totalCost: 1,
}
const NODE_KEY = 'AWS/1234/p/Compute/cluster-one/Node/Kubernetes/i-0abc/gpu-0'
const DISK_KEY = 'AWS/1234/p/Storage/cluster-one/Disk/Kubernetes/d/d'

export const ASSETS_IN = {
  'one map, as in 1.108': { code: 200, status: 'success', data: { [NODE_KEY]: node(), [DISK_KEY]: disk } },
  'without status': { code: 200, data: { [DISK_KEY]: disk, [NODE_KEY]: node() } },
  'with a pool and an overhead': {
    code: 200,
    status: 'success',
    data: {
      [NODE_KEY]: node({
        pool: 'gpu',
        overhead: { CpuOverheadFraction: 0.1, RamOverheadFraction: 0.1, OverheadCostFraction: 0.1 },
      }),
    },
  },
  'a list of steps, as Kubecost has': { code: 200, data: [{ [NODE_KEY]: node() }, { [DISK_KEY]: disk }, {}, null] },
}

/** A namespace, or idle, in an answer of allocation by namespace; the fields that every version has. */
export const allocated = (more: object) => ({
  properties: { cluster: 'cluster-one', namespace: 'ml' },
  ...TIMES,
  cpuCores: 8,
  cpuCoreRequestAverage: 8,
  cpuCoreUsageAverage: 1,
  cpuCoreHours: 192,
  cpuCost: 6.07,
  cpuCostAdjustment: 0,
  cpuEfficiency: 0.125,
  gpuCount: 4,
  gpuHours: 96,
  gpuCost: 91.2,
  gpuCostAdjustment: 0,
  pvs: null,
  ramCost: 1.73,
  ramCostAdjustment: 0,
  externalCost: 0,
  sharedCost: 0,
  totalCost: 99,
  totalEfficiency: null,
  lbAllocations: null,
  ...more,
})

const idle = { properties: { cluster: 'cluster-one' }, gpuCount: 0, gpuHours: 0, cpuEfficiency: 0, totalCost: 268.2 }
const byNamespace = (more: object, idleKey = '__idle__') => [
  {
    ml: allocated({ name: 'ml', ...more }),
    [idleKey]: allocated({ name: idleKey, ...more, ...idle }),
  },
]

const OLDEST = { proportionalAssetResourceCosts: {}, sharedCostBreakdown: {} }
const SHARES = {
  'cluster-one,gpu-0': {
    cluster: 'cluster-one',
    node: 'gpu-0',
    providerID: 'i-0abc',
    gpuPercentage: 0.5,
    gpuTotalCost: 182.4,
  },
}
const IDLE_COSTS = { cpuCostIdle: 0, gpuCostIdle: 0, ramCostIdle: 0 }
const LIMITS = { cpuCoreLimitAverage: 8, ramByteLimitAverage: 1 }
const DEVICE = { gpuDevice: 'nvidia0', gpuModel: 'NVIDIA H100 80GB HBM3', gpuUUID: 'GPU-1', isGPUShared: false }
const USE = { gpuUsageAverage: 0.4, gpuRequestAverage: 1 }

export const ALLOCATIONS_IN = {
  '1.108': { code: 200, status: 'success', data: byNamespace(OLDEST) },
  'with the shares of assets': { code: 200, data: byNamespace({ ...OLDEST, proportionalAssetResourceCosts: SHARES }) },
  'with use beside the cost, as in the middle of 2024': {
    code: 200,
    status: 'success',
    data: byNamespace({ ...OLDEST, ...USE, gpuEfficiency: 0.4 }),
  },
  'with gpuAllocation, as from the end of 2024': {
    code: 200,
    data: byNamespace({ ...IDLE_COSTS, gpuEfficiency: 0.4, gpuAllocation: { ...DEVICE, ...USE } }),
  },
  'with gpuAllocation that is null': { code: 200, data: byNamespace({ ...IDLE_COSTS, gpuAllocation: null }) },
  'with limits and saturation, as in 1.121': {
    code: 200,
    status: 'success',
    data: byNamespace({
      ...IDLE_COSTS,
      ...LIMITS,
      gpuAllocation: { ...DEVICE, ...USE, saturation: { memoryUsedRatioAvg: 0.8, xidErrorCount: 0 } },
    }),
  },
  'with idle by cluster': { code: 200, data: byNamespace(IDLE_COSTS, 'cluster-one/__idle__') },
  'in several steps, as Kubecost has': { code: 200, data: [...byNamespace(IDLE_COSTS), {}, null] },
}
