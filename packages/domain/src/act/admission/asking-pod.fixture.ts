import { UNCONSTRAINED } from '../../cluster/scheduling.ts'
import type { GpuContainer } from '../../cluster/workload.ts'
import { instant, mib, ratio, type Instant } from '../../units.ts'
import { DEFAULT_ACT_POLICY } from '../policy/act-policy.ts'
import type { AskingPod } from './admission-pod.ts'
import type { FreeInstance } from './admission-view.ts'
import type { AdmissionQuestion } from './decide-admission.ts'
import type { KnownSize } from './known-sizes.ts'
import type { AdmissionPermission } from './why-left.ts'

export const NOW: Instant = instant(1_800_000_000_000)
const WHOLE = 'nvidia.com/gpu'

export function container(resource = WHOLE, index = 0): GpuContainer {
  const quantities = { cpu: '4', [resource]: '1' }
  return {
    list: 'containers',
    index,
    name: `main-${index}`,
    isSidecar: false,
    requests: quantities,
    limits: quantities,
    gpus: [{ resource, count: 1 }],
  }
}

/** A pod of `lab/Deployment/chat` that asks for one whole GPU. */
export const asking = (more: Partial<AskingPod> = {}): AskingPod => ({
  namespace: 'lab',
  name: 'chat-7d9f-',
  labels: {},
  annotations: {},
  owners: ['lab/ReplicaSet/chat-7d9f', 'lab/Deployment/chat'],
  requests: [{ resource: WHOLE, count: 1 }],
  containers: [container()],
  claims: false,
  queued: false,
  scheduling: UNCONSTRAINED,
  ...more,
})

export const size = (more: Partial<KnownSize> = {}): KnownSize => ({
  workload: 'lab/Deployment/chat',
  model: 'H100-80GB-HBM3',
  profile: '1g.20gb',
  resource: 'nvidia.com/mig-1g.20gb',
  memory: mib(20_096),
  memoryPeak: 8192,
  window: { from: instant(NOW - 7 * 86_400_000), to: NOW },
  confidence: ratio(0.9),
  ...more,
})

export const instance = (more: Partial<FreeInstance> = {}): FreeInstance => ({
  partition: 'GPU-1/gi-7',
  profile: '1g.20gb',
  resource: 'nvidia.com/mig-1g.20gb',
  model: 'H100-80GB-HBM3',
  memory: mib(20_096),
  share: ratio(1 / 7),
  ...more,
})

export const node = (
  name: string,
  instances: readonly FreeInstance[],
  labels: Readonly<Record<string, string>> = {},
) => ({
  name,
  rules: { labels, taints: [] },
  left: { cpuMilli: Infinity, memory: Infinity },
  instances,
})

/** Right-sizing is on auto and nothing speaks against it. */
export const allowed = (more: Partial<AdmissionPermission> = {}): AdmissionPermission => ({
  policy: {
    ...DEFAULT_ACT_POLICY,
    modes: { ...DEFAULT_ACT_POLICY.modes, 'right-size': 'auto' },
    auto: { ...DEFAULT_ACT_POLICY.auto, classes: ['right-size'] },
  },
  plans: {},
  stops: [],
  halted: undefined,
  changed: { hour: 0, day: 0 },
  readAt: NOW,
  ...more,
})

/** The size of `lab/Deployment/chat` is known, one such instance is free, and changes are allowed. */
export const question = (more: Partial<AdmissionQuestion> = {}): AdmissionQuestion => ({
  mode: 'mutate',
  pod: asking(),
  view: view(),
  permission: allowed(),
  promised: [],
  now: NOW,
  ...more,
})

export const view = (more: Partial<NonNullable<AdmissionQuestion['view']>> = {}) => ({
  takenAt: NOW,
  sizes: new Map([['lab/Deployment/chat', size()]]),
  nodes: [node('gpu-1', [instance()])],
  quotas: [],
  ...more,
})
