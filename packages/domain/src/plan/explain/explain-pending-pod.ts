import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import { plural } from '../../words.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Pod, PodId } from '../../cluster/workload.ts'
import { profileOfResource } from '../../gpu/profile-name.ts'
import { compareText } from '../../units.ts'
import type { GpuWant, PlaceAsk } from '../place/place-index-ask.ts'
import { PlaceIndex } from '../place/place-index.ts'
import { placeNodes, type LeftOutGpu } from '../place/place-nodes.ts'
import { explainPod, type PodExplanation } from './explain-pod.ts'

/**
 * Where a waiting pod of a cluster could start now, or what keeps each GPU from taking it; GPUs that placement leaves out
 * come behind, with the reason. Undefined: there is no such pod.
 */
export function explainPendingPod(snapshot: ClusterSnapshot, id: PodId): PodExplanation | undefined {
  const pod = snapshot.pods.find((one) => one.id === id)
  if (pod === undefined) return undefined
  const wants = wantOf(pod)
  if (typeof wants === 'string') return notAsked(wants)
  if (pod.node !== undefined) return notAsked(`it runs on ${pod.node} already`)
  const { nodes, leftOut } = placeNodes(snapshot)
  const index = new PlaceIndex(nodes)
  const ask: PlaceAsk = { wants, models: [], tenant: pod.namespace, scheduling: pod.scheduling }
  const views = index.nodes()
  const explanation = explainPod(views, ask, index.place(ask))
  return { ...explanation, sentences: [...explanation.sentences, ...leftOutSentences(leftOut), ...unreadSentence(pod)] }
}

/** What the pod wants of GPUs; in words why placement has no answer for that. */
function wantOf({ requests }: Pod): GpuWant | string {
  const [first, ...more] = requests.filter(({ count }) => count > 0)
  if (first === undefined) return 'it asks for no GPU'
  if (more.length > 0) return 'it asks for several kinds of GPU devices at once'
  const { resource, count } = first
  if (resource === WHOLE_GPU_RESOURCE) return { kind: 'whole', count }
  const profile = profileOfResource(resource)
  if (profile === undefined || resource.endsWith('.shared')) return `${resource} is no whole GPU and no MIG device`
  return count === 1
    ? { kind: 'mig', profile }
    : `it asks for ${count} MIG devices at once, and one is placed at a time`
}

const notAsked = (because: string): PodExplanation => ({
  kind: 'not-a-request',
  candidates: 0,
  refusals: [],
  sentences: [`No place was looked for: ${because}.`],
})

function leftOutSentences(leftOut: readonly LeftOutGpu[]): readonly string[] {
  return [...Map.groupBy(leftOut, ({ because }) => because)]
    .toSorted(([a, one], [b, other]) => other.length - one.length || compareText(a, b))
    .map(([because, gpus]) => {
      const [example] = gpus
      return `Not counted: ${plural(gpus.length, 'GPU')} (${example?.node ?? ''}): ${because}.`
    })
}

const unreadSentence = ({ scheduling: { unread = [] } }: Pod): readonly string[] =>
  unread.length === 0 ? [] : [`Its ${unread.join(', ')} may forbid more nodes: that was not looked at.`]
