/* oxlint-disable typescript/no-unsafe-type-assertion -- a label may say anything */
import {
  instant,
  textAt,
  type ClusterSnapshot,
  type JudgedSample,
  type LiveObject,
  type WorkloadId,
} from '@septet/domain'
import { draw, measuredIdle, valueAt } from '@septet/domain/testing'

import { listed, MIG, MIG_STATE, profileOf, type Cluster } from './cluster-model.ts'

/** What Septet has read of the cluster, and when. */
export type Reading = { readonly takenAt: number; readonly view: string }

const views = new Map<string, ClusterSnapshot>()

/** The cluster as a reading shows it. Equal clusters have equal texts. */
export function readingOf(cluster: Cluster, takenAt: number): Reading {
  const pods = listed(cluster, { resource: 'pods', namespace: 'lab' })
  const held = new Map<string, string[]>()
  for (const pod of pods) {
    const node = textAt(pod, 'spec', 'nodeName')
    const key = `${node} ${profileOf(pod)}`
    if (node !== '') held.set(key, [...(held.get(key) ?? []), textAt(pod, 'metadata', 'name')])
  }
  const lines = Object.entries(cluster.cuts).map(([name, profiles]) => {
    const boxes = profiles.map((profile) => `[${profile} ${holder(held.get(`${name} ${profile}`)?.shift())}]`)
    return `${name} H100-80GB-HBM3 MIG ${boxes.join(' ')}`
  })
  const waiting = pods
    .filter((pod) => textAt(pod, 'spec', 'nodeName') === '')
    .map((pod) => `? lab/${textAt(pod, 'metadata', 'name')} ${profileOf(pod)}`)
  const view = [...lines, ...waiting].join('\n')
  const facts = JSON.stringify([nodeFacts(cluster), podFacts(pods)])
  const key = `${view}\n${facts}`
  if (!views.has(key)) views.set(key, shown(view, nodeFacts(cluster), podFacts(pods)))
  return { takenAt, view: key }
}

const holder = (name: string | undefined): string => (name === undefined ? '-' : `lab/${name}`)

type NodeFacts = Readonly<
  Record<string, { readonly schedulable: boolean; readonly config: string; readonly state: string }>
>
type PodFacts = Readonly<
  Record<string, { readonly uid: string; readonly workload: WorkloadId; readonly created: string }>
>

const nodeFacts = (cluster: Cluster): NodeFacts =>
  Object.fromEntries(
    Object.keys(cluster.cuts).map((name) => {
      const node = cluster.objects[`nodes/${name}`]
      const [config, state] = [MIG, MIG_STATE].map((label) => textAt(node, 'metadata', 'labels', label))
      const schedulable = valueAt(node, 'spec', 'unschedulable') !== true
      return [name, { schedulable, config: config ?? '', state: state ?? '' }] as const
    }),
  )

const podFacts = (pods: readonly LiveObject[]): PodFacts =>
  Object.fromEntries(
    pods.map((pod) => {
      const workload = `lab/Deployment/${textAt(pod, 'metadata', 'labels', 'app')}`
      return [
        `lab/${textAt(pod, 'metadata', 'name')}`,
        { uid: textAt(pod, 'metadata', 'uid'), workload, created: textAt(pod, 'metadata', 'creationTimestamp') },
      ] as const
    }),
  )

function shown(view: string, nodes: NodeFacts, pods: PodFacts): ClusterSnapshot {
  const drawn = draw`${view}`
  const workloadOf = (pod: string): WorkloadId => pods[pod]?.workload ?? ''
  return {
    ...drawn,
    nodes: drawn.nodes.map((node) => {
      const { schedulable = true, config, state } = nodes[node.name] ?? {}
      return {
        ...node,
        schedulable,
        mig: { ...node.mig, config, state: state === '' ? undefined : state },
      } as typeof node
    }),
    pods: drawn.pods.map((pod) => ({
      ...pod,
      uid: pods[pod.id]?.uid ?? '',
      createdAt: instant(Date.parse(pods[pod.id]?.created ?? '')),
      workload: workloadOf(pod.id),
    })),
    allocations: drawn.allocations.map((each) => ({ ...each, workload: workloadOf(each.pod) })),
    workloads: [...Map.groupBy(drawn.workloads, ({ pods: [pod = ''] }) => workloadOf(pod))].flatMap(
      ([id, [first, ...rest]]) =>
        first === undefined
          ? []
          : {
              ...first,
              id,
              kind: 'Deployment',
              name: id.split('/')[2] ?? '',
              pods: [first, ...rest].flatMap((each) => each.pods),
            },
    ),
  }
}

const snapshots = new Map<string, ClusterSnapshot>()
/** So many are kept: to make one anew costs more than to keep it. */
const MOST = 5000

/** The snapshot of a reading; the same one for equal readings, so that what is known of it is known again. */
export function snapshotOf({ view, takenAt }: Reading): ClusterSnapshot {
  const key = `${takenAt}\n${view}`
  const known = snapshots.get(key)
  if (known !== undefined) return known
  const base = views.get(view)
  if (base === undefined) throw new Error('nobody has read that')
  if (snapshots.size >= MOST) snapshots.clear()
  const made = { ...base, takenAt: instant(takenAt) }
  snapshots.set(key, made)
  return made
}

/** Every GPU and instance measured and at rest. */
export function samplesOf(reading: Reading): readonly JudgedSample[] {
  const snapshot = snapshotOf(reading)
  const known = samples.get(snapshot)
  if (known !== undefined) return known
  const made = measuredIdle(snapshot).map((sample) => ({ ...sample, at: snapshot.takenAt }))
  samples.set(snapshot, made)
  return made
}
const samples = new WeakMap<ClusterSnapshot, readonly JudgedSample[]>()
