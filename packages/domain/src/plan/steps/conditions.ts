import { compareText } from '../../units.ts'
import type { GpuRequest } from '../../cluster/workload.ts'
import { podsOf } from '../guardrail/displaced-by.ts'
import { judgePlan } from '../guardrail/guardrails.ts'
import { changedNode } from '../guardrail/keeps-nodes.ts'
import type { Action, Condition } from '../words/action.ts'
import { isChanged } from './apply-to-gpus.ts'
import { canonicalGeometry, geometryNow } from '../../fleet/gpu-state.ts'
import { CAREFUL_POLICY } from '../words/plan-policy.ts'
import { gpuOf, holdersOf, podsOn, type Fleet } from '../../fleet/fleet.ts'
import { stepsByKind } from '../words/by-kind.ts'

/** What must hold before the action begins, as the state is now. */
export const preconditionsOf = (action: Action, state: Fleet): readonly Condition[] =>
  stepsByKind<Action, readonly Condition[]>(action, {
    cordon: ({ node }) => [{ kind: 'node-schedulable', node, schedulable: true }],
    uncordon: ({ node }) => [cordoned(node)],
    'remove-node': ({ node }) => [cordoned(node), { kind: 'node-empty', node }],
    evict: ({ pod }) => [
      { kind: 'pod-on-node', pod, node: state.pods.get(pod)?.node ?? '' },
      { kind: 'disruption-allowed', pod },
    ],
    resize: ({ workload, from }) => [{ kind: 'workload-requests', workload, requests: from }],
    reschedule: ({ workload, from }) => [{ kind: 'workload-requests', workload, requests: from.requests }],
    scale: () => [],
    'keep-free': ({ nodes }) => nodes.map(({ node }) => cordoned(node)),
    share: (wished) => gpuConditions(wished, state),
    repartition: (wished) => gpuConditions(wished, state),
    'create-instance': (wished) => gpuConditions(wished, state),
    'delete-instance': (wished) => gpuConditions(wished, state),
  })

type GpuAction = Extract<Action, { readonly kind: 'repartition' | 'share' | 'create-instance' | 'delete-instance' }>

function gpuConditions(action: GpuAction, state: Fleet): readonly Condition[] {
  const node = changedNode(action, state)
  if (node === undefined) return []
  const settled: Condition = { kind: 'mig-settled', node: node.name }
  if (action.kind === 'share') return [settled, cordoned(node.name), { kind: 'node-empty', node: node.name }]
  if (action.kind === 'create-instance') return [settled]
  if (action.kind === 'delete-instance') {
    const found = gpuOf(state, action.gpu)?.partitions.find(
      (partition) =>
        partition.kind === 'mig' &&
        partition.profile === action.instance.profile &&
        partition.placement?.start === action.instance.placement.start,
    )
    return [settled, ...(found === undefined ? [] : [{ kind: 'partition-free' as const, partition: found.id }])]
  }
  const changed = action.gpus.filter((change) => isChanged(node, change))
  const layouts = action.gpus.flatMap(({ gpu }): Condition[] => {
    const found = gpuOf(state, gpu)
    const geometry = found === undefined ? undefined : geometryNow(found)
    return geometry === undefined ? [] : [{ kind: 'gpu-layout', gpu, geometry }]
  })
  const free = changed.map(({ gpu }): Condition => ({ kind: 'gpu-free', gpu }))
  const { config } = node.mig
  const worn = config === undefined ? settled : { ...settled, config }
  return [worn, ...(changed.length === 0 ? [] : [cordoned(node.name)]), ...layouts, ...free]
}

const cordoned = (node: string): Condition => ({ kind: 'node-schedulable', node, schedulable: false })

/** Why a condition does not hold in this state, in one sentence; undefined when it does. */
export const whyConditionFails = (condition: Condition, state: Fleet): string | undefined =>
  stepsByKind<Condition, string | undefined>(condition, {
    'node-schedulable': (wanted) => whyNodeNot(wanted, state),
    'node-empty': (wanted) => whyNodeNot(wanted, state),
    'mig-settled': (wanted) => whyNodeNot(wanted, state),
    'gpu-layout': (wanted) => whyGpuNot(wanted, state),
    'gpu-free': (wanted) => whyGpuNot(wanted, state),
    'partition-free': (wanted) => whyGpuNot(wanted, state),
    'pod-on-node': ({ pod, node }) =>
      state.pods.get(pod)?.node === node ? undefined : `${pod} no longer runs on ${node}.`,
    'disruption-allowed': ({ pod }) => whyDisruptionNot(pod, state),
    'workload-requests': ({ workload, requests }) =>
      podsOf(state, workload).every((pod) => sameRequests(pod.requests, requests))
        ? undefined
        : `${workload} no longer asks for what the plan assumed.`,
  })

function whyNodeNot(
  condition: Extract<Condition, { readonly kind: 'node-schedulable' | 'node-empty' | 'mig-settled' }>,
  state: Fleet,
): string | undefined {
  const node = state.nodes.get(condition.node)
  if (node === undefined) return `The cluster has no node ${condition.node}.`
  if (condition.kind === 'mig-settled') {
    const moving = ['pending', 'rebooting', 'failed'].includes(node.mig.state ?? '')
    return moving ? `The MIG state of ${node.name} is ${node.mig.state}.` : undefined
  }
  if (condition.kind === 'node-empty') {
    const [pod] = podsOn(state, node.name)
    return pod === undefined ? undefined : `${pod.id} still runs on ${node.name}.`
  }
  if (node.schedulable === condition.schedulable) return undefined
  return node.schedulable ? `${node.name} is not cordoned.` : `${node.name} is cordoned already.`
}

function whyGpuNot(
  condition: Extract<Condition, { readonly kind: 'gpu-layout' | 'gpu-free' | 'partition-free' }>,
  state: Fleet,
): string | undefined {
  if (condition.kind === 'partition-free') {
    const [holder] = state.holders.get(condition.partition) ?? []
    return holder === undefined ? undefined : `${holder} holds ${condition.partition}.`
  }
  const gpu = gpuOf(state, condition.gpu)
  if (gpu === undefined) return `The cluster has no GPU ${condition.gpu}.`
  if (condition.kind === 'gpu-free') {
    const [holder] = holdersOf(state, gpu)
    return holder === undefined ? undefined : `${holder} holds a part of GPU ${gpu.id}.`
  }
  const now = geometryNow(gpu)
  const text = (geometry: typeof condition.geometry): string => JSON.stringify(canonicalGeometry(gpu.model, geometry))
  return now !== undefined && text(now) === text(condition.geometry)
    ? undefined
    : `GPU ${gpu.id} no longer has the layout that the plan assumed.`
}

function whyDisruptionNot(id: string, state: Fleet): string | undefined {
  const pod = state.pods.get(id)
  if (pod === undefined) return `${id} no longer exists.`
  const consent = { ...CAREFUL_POLICY, maxDisplaced: Infinity, evictUnmanaged: [id] }
  const verdict = judgePlan(
    { kind: 'evict', pod: id, uid: pod.uid, workload: pod.workload, because: '' },
    state,
    consent,
  )
  return verdict.kind === 'allow' ? undefined : verdict.because
}

const sameRequests = (a: readonly GpuRequest[], b: readonly GpuRequest[]): boolean => textOf(a) === textOf(b)

const textOf = (requests: readonly GpuRequest[]): string =>
  requests
    .map(({ resource, count }) => `${resource}=${count}`)
    .toSorted(compareText)
    .join()
