import type { LiveObject } from '../cluster-writer.ts'
import { listAt, textAt, textsAt, valueAt } from '../live-object.ts'
import { keepOf, keepWords } from '../owners/keep.ts'
import type { Instant } from '../../units.ts'

export const podName = (pod: LiveObject): string =>
  `${textAt(pod, 'metadata', 'namespace')}/${textAt(pod, 'metadata', 'name')}`

/** Pods that have to be somewhere else before a node goes: not what comes with each node, and not what has ended. */
export const podsThatLeave = (pods: readonly LiveObject[]): readonly LiveObject[] =>
  pods.filter((pod) => !['DaemonSet', 'Node'].includes(controllerOf(pod)) && !hasEnded(pod))

const ENDED = new Set(['Succeeded', 'Failed'])
export const hasEnded = (pod: LiveObject): boolean => ENDED.has(textAt(pod, 'status', 'phase'))

const controllerOf = (pod: LiveObject): string =>
  textAt(
    listAt(pod, 'metadata', 'ownerReferences').find((owner) => valueAt(owner, 'controller') === true),
    'kind',
  )

type Protection = { readonly now: Instant; readonly isProtected: (namespace: string) => boolean }

/** Why a pod cannot leave its node without harm, in one sentence; undefined where it can. Of pods without a GPU, too. */
export function whyPodStays(pod: LiveObject, { now, isProtected }: Protection): string | undefined {
  const name = podName(pod)
  const annotations = textsAt(pod, 'metadata', 'annotations')
  const kept = keepWords(keepOf(pod), now)
  if (kept !== undefined) return `${name} ${kept}.`
  if (isProtected(textAt(pod, 'metadata', 'namespace'))) return `${name} is in a protected namespace.`
  if (controllerOf(pod) === '') return `${name} has no controller to recreate it.`
  if (!['', 'false'].includes(annotations['karpenter.sh/do-not-disrupt'] ?? '')) {
    return `${name} says karpenter.sh/do-not-disrupt.`
  }
  const safe = annotations['cluster-autoscaler.kubernetes.io/safe-to-evict']
  if (safe === 'false') return `${name} says cluster-autoscaler.kubernetes.io/safe-to-evict: "false".`
  const volume = safe === 'true' ? undefined : localVolume(pod, annotations)
  return volume === undefined
    ? undefined
    : `${name} keeps data on the node, in the volume ${volume}. Annotate the pod with cluster-autoscaler.kubernetes.io/safe-to-evict: "true" where that data may go.`
}

/** Data that is lost with the node, as Cluster Autoscaler counts it. */
function localVolume(pod: LiveObject, annotations: Readonly<Record<string, string>>): string | undefined {
  const mayGo = (annotations['cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes'] ?? '').split(',')
  const local = listAt(pod, 'spec', 'volumes').find((volume) => {
    const isScratch = valueAt(volume, 'emptyDir') !== undefined && textAt(volume, 'emptyDir', 'medium') !== 'Memory'
    const isLocal = isScratch || valueAt(volume, 'hostPath') !== undefined
    return isLocal && !mayGo.includes(textAt(volume, 'name'))
  })
  return local === undefined ? undefined : textAt(local, 'name')
}
