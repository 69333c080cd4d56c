import type { NodeSpec } from '../../model/fleet.ts'
import { draw, mix } from '../../model/hash.ts'
import { objectAt, type Json, type JsonObject } from '../kube/json.ts'
import { POD_TOLERATIONS } from '../kube/validate.ts'
import { kubeTime } from '../kube/write.ts'
import { nodeAddress } from './node-object.ts'
import { specOfRules, type FitRules } from './pod-rules.ts'

/** Everything about a pod that the demo decides. Replaced as a whole when it changes. */
export type PodState = {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly seed: number
  readonly createdAt: number
  readonly labels: Readonly<Record<string, string>>
  readonly owner: OwnerReference | undefined
  readonly container: string
  readonly image: string
  readonly requests: Readonly<Record<string, string>>
  readonly rules: FitRules
  readonly restart: 'Always' | 'Never'
  readonly phase: 'waiting' | 'starting' | 'running' | 'succeeded' | 'failed'
  readonly node: NodeSpec | undefined
  readonly boundAt: number | undefined
  readonly startedAt: number | undefined
  readonly endedAt: number | undefined
  /** The scheduler's words while it waits. */
  readonly message: string | undefined
}
export type OwnerReference = {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
}

/** Of a pod that nobody has placed yet. */
export const UNPLACED = {
  node: undefined,
  boundAt: undefined,
  startedAt: undefined,
  endedAt: undefined,
  message: undefined,
} as const

/** The pod as the API server shows it; `written` is what people wrote of it, where they did. */
export function podObject(state: PodState, written?: JsonObject): JsonObject {
  if (written !== undefined) {
    const spec = { ...objectAt(written, 'spec'), ...(state.node === undefined ? {} : { nodeName: state.node.name }) }
    return { ...written, spec, status: statusOf(state, objectAt(written, 'status')) }
  }
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      name: state.name,
      namespace: state.namespace,
      uid: state.uid,
      creationTimestamp: kubeTime(state.createdAt),
      labels: state.labels,
      ...(Object.keys(state.rules.annotations).length === 0 ? {} : { annotations: state.rules.annotations }),
      ...(state.owner === undefined
        ? {}
        : { ownerReferences: [{ ...state.owner, controller: true, blockOwnerDeletion: true }] }),
    },
    spec: specOf(state),
    status: statusOf(state, {}),
  }
}

const specOf = (state: PodState): JsonObject => ({
  containers: [
    {
      name: state.container,
      image: state.image,
      resources: { limits: state.requests, requests: state.requests },
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
      imagePullPolicy: 'IfNotPresent',
    },
  ],
  restartPolicy: state.restart,
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  ...specOfRules(state.rules),
  ...(state.node === undefined ? {} : { nodeName: state.node.name }),
  securityContext: {},
  schedulerName: 'default-scheduler',
  tolerations: [...state.rules.tolerations, ...POD_TOLERATIONS],
  enableServiceLinks: true,
  preemptionPolicy: 'PreemptLowerPriority',
})

const PHASE = {
  waiting: 'Pending',
  starting: 'Pending',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
} satisfies Record<PodState['phase'], string>

function statusOf(state: PodState, written: JsonObject): JsonObject {
  const { phase, node } = state
  const kept = { ...written, phase: PHASE[phase], qosClass: 'Guaranteed' }
  if (phase === 'waiting') return { ...kept, ...waitingStatus(state) }
  return {
    ...kept,
    hostIP: node === undefined ? '' : nodeAddress(node),
    ...(phase === 'starting'
      ? {}
      : {
          podIP: `10.${64 + (mix(state.seed, 3) % 64)}.${mix(state.seed, 1) & 255}.${2 + (mix(state.seed, 2) % 250)}`,
        }),
    startTime: kubeTime(state.boundAt ?? state.createdAt),
    conditions: [...disruption(written), ...boundConditions(state)],
    containerStatuses: [containerStatus(state)],
  }
}

/** An eviction leaves its mark among the conditions. */
const disruption = (written: JsonObject): readonly Json[] => {
  const { conditions } = written
  return Array.isArray(conditions)
    ? conditions.filter((each: Json) => objectAt(each)['type'] === 'DisruptionTarget')
    : []
}

const waitingStatus = (state: PodState): JsonObject => ({
  conditions: [
    {
      type: 'PodScheduled',
      status: 'False',
      lastProbeTime: null,
      lastTransitionTime: kubeTime(state.createdAt),
      reason: 'Unschedulable',
      message: state.message ?? '',
    },
  ],
})

function boundConditions(state: PodState): readonly JsonObject[] {
  const up = state.phase === 'running'
  const [bound, started] = [kubeTime(state.boundAt ?? state.createdAt), kubeTime(state.startedAt ?? state.createdAt)]
  const make = (type: string, status: boolean, time: string): JsonObject => ({
    type,
    status: status ? 'True' : 'False',
    lastProbeTime: null,
    lastTransitionTime: time,
    ...(status ? {} : { reason: state.endedAt === undefined ? 'ContainersNotReady' : 'PodCompleted' }),
  })
  return [
    make('PodReadyToStartContainers', up, started),
    make('Initialized', true, bound),
    make('Ready', up, started),
    make('ContainersReady', up, started),
    make('PodScheduled', true, bound),
  ]
}

function containerStatus(state: PodState): JsonObject {
  return {
    name: state.container,
    image: state.image,
    imageID: '',
    ready: state.phase === 'running',
    started: state.phase === 'running',
    restartCount: 0,
    lastState: {},
    state: containerState(state),
  }
}

function containerState({ phase, startedAt = 0, endedAt = 0, seed }: PodState): JsonObject {
  if (phase === 'starting') return { waiting: { reason: 'ContainerCreating' } }
  if (phase === 'running') return { running: { startedAt: kubeTime(startedAt) } }
  const failed = phase === 'failed'
  const exitCode = failed ? (draw(seed, 12) < 0.5 ? 137 : 1) : 0
  const reason = !failed ? 'Completed' : exitCode === 137 ? 'OOMKilled' : 'Error'
  return { terminated: { exitCode, reason, startedAt: kubeTime(startedAt), finishedAt: kubeTime(endedAt) } }
}
