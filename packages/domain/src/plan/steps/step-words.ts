import { agree, gpusText, plural } from '../../words.ts'
import type { GpuNode } from '../../cluster/node.ts'
import type { GpuRequest } from '../../cluster/workload.ts'
import { geometryOf, type Geometry, type PlacedInstance } from '../../gpu/layout.ts'
import { podsOf } from '../guardrail/displaced-by.ts'
import type { Action, Destination, GpuChange, Landing, SharingMode } from '../words/action.ts'
import { isChanged } from './apply-to-gpus.ts'
import { needsResetForMode } from '../../fleet/gpu-state.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { stepsByKind } from '../words/by-kind.ts'
import { keptGpus } from '../words/kept-gpus.ts'

/** What an action does, and what is true afterwards: one sentence each, for people. */
export const wordsFor = (action: Action, state: Fleet): Words =>
  stepsByKind<Action, Words>(action, {
    cordon: ({ node }) => ({
      title: `Cordon ${node}`,
      effect: `No new pod starts on ${node}; running pods continue.`,
    }),
    uncordon: uncordonWords,
    evict: (wished) => evictWords(wished, state),
    repartition: (wished) => repartitionWords(wished, state),
    'remove-node': ({ node, landed = [] }) => ({
      title: `Remove ${node}${onceWords(landed)}; this cannot be undone`,
      effect: `Pods without a GPU leave ${node} by their disruption budgets, then the machine is removed.`,
    }),
    'create-instance': instanceWords,
    'delete-instance': instanceWords,
    resize: resizeWords,
    scale: scaleWords,
    share: shareWords,
    reschedule: rescheduleWords,
    'keep-free': keepFreeWords,
  })

/** What an action does in a few words, without looking at any cluster: for lists of steps and of ways back. */
export const describeAction = (action: Action): string =>
  stepsByKind<Action, string>(action, {
    cordon: ({ node }) => `Cordon ${node}`,
    uncordon: ({ node }) => `Uncordon ${node}`,
    evict: ({ pod }) => `Evict ${pod}`,
    repartition: ({ node, gpus }) => `Repartition ${node}: ${cutWords(gpus)}`,
    'create-instance': ({ gpu, instance }) => `Make ${instance.profile} on GPU ${gpu}`,
    'delete-instance': ({ gpu, instance }) => `Remove ${instance.profile} from GPU ${gpu}`,
    resize: ({ workload, to }) => `Give each pod of ${workload} ${stepRequestWords(to)}`,
    scale: ({ workload, to }) => `Scale ${workload} to ${to}`,
    share: ({ node, to }) => `Share the GPUs of ${node}: ${sharingWords(to)}`,
    'remove-node': ({ node }) => `Remove ${node}`,
    'keep-free': ({ nodes, profile }) =>
      `Keep ${gpusText(keptGpus(nodes), profile)} on ${plural(nodes.length, 'node')} free`,
    reschedule: ({ workload, to }) =>
      to.pool === '' && to.model === ''
        ? `Let ${workload} run as it was allowed before`
        : `Let ${workload} run on ${[to.model, to.pool].filter((part) => part !== '').join(' in ')}`,
  })

/** The GPUs that change, those with one geometry together: `GPU 0, 1: 7 × 1g.10gb; GPU 4: a whole GPU`. */
function cutWords(gpus: readonly GpuChange[]): string {
  const changed = gpus.filter(
    ({ from, to }) =>
      geometryWords(to) !== geometryWords({ migEnabled: from.migEnabled, geometry: geometryOf(from.layout) }),
  )
  return [...Map.groupBy(changed, ({ to }) => geometryWords(to))]
    .map(([words, own]) => `GPU ${own.map(({ index }) => index).join(', ')}: ${words}`)
    .join('; ')
}

/** `2 × 1g.10gb + 1 × 3g.40gb`, `a whole GPU`, `MIG mode without instances`. */
export function geometryWords({
  migEnabled,
  geometry,
}: {
  readonly migEnabled: boolean
  readonly geometry: Geometry
}): string {
  const parts = Object.entries(geometry).flatMap(([profile, count]) => (count > 0 ? `${count} × ${profile}` : []))
  if (parts.length > 0) return parts.join(' + ')
  return migEnabled ? 'MIG mode without instances' : 'a whole GPU'
}

export const stepRequestWords = (requests: readonly GpuRequest[]): string =>
  requests.map(({ resource, count }) => `${count} × ${resource}`).join(' + ') || 'no GPU'

export const sharingWords = (mode: SharingMode): string =>
  mode.kind === 'none' ? 'no sharing' : `${mode.replicas} replicas by ${mode.kind === 'mps' ? 'MPS' : 'time-slicing'}`

type Words = { readonly title: string; readonly effect: string }
type ActionOf<Kind extends Action['kind']> = Extract<Action, { readonly kind: Kind }>

const uncordonWords = ({ node, landed = [] }: ActionOf<'uncordon'>): Words => ({
  title: `Uncordon ${node}${onceWords(landed)}`,
  effect: `Pods may start on ${node} again.`,
})

const keepFreeWords = (action: ActionOf<'keep-free'>): Words => ({
  title: `See that ${gpusText(keptGpus(action.nodes), action.profile)} on ${plural(action.nodes.length, 'node')} ${agree(keptGpus(action.nodes), 'is', 'are')} free`,
  effect: `Pods that still hold one are named. The nodes stay closed to all other pods until the appointment is over.`,
})

const onceWords = (landed: readonly Landing[]): string =>
  landed.length === 0 ? '' : ` once ${landedWords(landed)} elsewhere`

const landedWords = (landed: readonly Landing[]): string =>
  landed.length === 1 && landed[0] !== undefined
    ? `${landed[0].workload} runs`
    : `the ${landed.length} workloads of evicted pods run`

function evictWords({ pod, workload, because }: ActionOf<'evict'>, state: Fleet): Words {
  const managed = state.pods.get(pod)?.scheduling.managed ?? true
  const others = podsOf(state, workload).filter(({ id, node }) => id !== pod && node !== undefined).length
  const peers = others === 0 ? '' : ` The ${plural(others, 'other pod')} of ${workload} may stop too if all act as one.`
  return {
    title: `Evict ${pod}: ${because}`,
    effect: managed
      ? `${pod} stops; its controller creates a new pod, which waits until it can be scheduled.${peers}`
      : `${pod} stops for good: it has no controller.${peers}`,
  }
}

function repartitionWords({ node: name, config, gpus }: ActionOf<'repartition'>, state: Fleet): Words {
  const node = state.nodes.get(name)
  const changed = node === undefined ? [] : gpus.filter((change) => isChanged(node, change))
  const kept = gpus.length - changed.length
  const cuts = changed.map(({ index, to }) => `GPU ${index} becomes ${geometryWords(to)}`)
  const pause = `The device plugin, GPU feature discovery and DCGM of ${name} are down meanwhile: no new GPU pod starts there and telemetry has a gap.`
  const rest = kept === 0 ? '' : ` GPUs that do not change are unaffected: ${kept}.`
  return {
    title: `Repartition ${changed.length} of ${plural(gpus.length, 'GPU')} of ${name} (configuration ${config})`,
    effect: `${cuts.join('; ')}.${rest} ${pause}${node === undefined ? '' : resetWords(node, changed)}`,
  }
}

function resetWords(node: GpuNode, changed: readonly GpuChange[]): string {
  if (!changed.some(switchesModeOf)) return ''
  const reset = changed.some((change) => switchesModeWithReset(node, change))
    ? ' MIG mode changes, which resets the GPU on this generation'
    : ' MIG mode changes, for which every GPU client of the node stops'
  return `${reset}; where that does not succeed, the node must restart (WITH_REBOOT), which stops every pod on it.`
}

/** Whether an action switches MIG mode of a GPU, on or off: it may restart the node. */
export const switchesMode = (action: Action): boolean =>
  action.kind === 'repartition' && action.gpus.some(switchesModeOf)

const switchesModeOf = ({ from, to }: GpuChange): boolean => from.migEnabled !== to.migEnabled

/** Whether this change switches MIG mode on a board that needs a reset for it. */
export function switchesModeWithReset(node: GpuNode, change: GpuChange): boolean {
  const gpu = node.gpus.find((candidate) => candidate.id === change.gpu)
  return gpu !== undefined && switchesModeOf(change) && needsResetForMode(gpu)
}

const instanceWords = ({ kind, gpu, instance }: ActionOf<'create-instance' | 'delete-instance'>): Words =>
  kind === 'create-instance'
    ? {
        title: `Make ${placedWords(instance)} on GPU ${gpu}`,
        effect: `A claim for ${instance.profile} finds room there; its neighbors are unaffected. The driver makes the instance when it prepares the claim.`,
      }
    : {
        title: `Remove ${placedWords(instance)} from GPU ${gpu}`,
        effect: `Its memory and compute slices are free; its neighbors are unaffected. The driver removes the instance when its claim is released.`,
      }

const placedWords = ({ profile, placement }: PlacedInstance): string => `${profile} at memory slice ${placement.start}`

const resizeWords = ({ workload, from, to }: ActionOf<'resize'>): Words => ({
  title: `Give each pod of ${workload} ${stepRequestWords(to)} instead of ${stepRequestWords(from)}`,
  effect: `The pods of ${workload} are replaced and ask for ${stepRequestWords(to)}.`,
})

const scaleWords = ({ workload, from, to }: ActionOf<'scale'>): Words => ({
  title: `Scale ${workload} from ${from} to ${plural(to, 'pod')}`,
  effect:
    to === 0
      ? `${workload} stops and its GPUs are free.`
      : `${workload} runs with ${plural(to, 'pod')}; its controller ${to < from ? `chooses which ${from - to} of ${from} go` : 'makes the others'}.`,
})

const shareWords = (action: ActionOf<'share'>): Words => ({
  title: `Share the GPUs of ${action.node}: ${sharingWords(action.to)} instead of ${sharingWords(action.from)}`,
  effect: shareEffect(action),
})

const rescheduleWords = ({ workload, to }: ActionOf<'reschedule'>): Words => ({
  title: `Let ${workload} run ${placeWords(to)}`,
  effect: `The scheduler may start ${workload} ${placeWords(to)} with ${stepRequestWords(to.requests)}.`,
})

function shareEffect({ node, to, tenant }: ActionOf<'share'>): string {
  if (to.kind === 'none') return `Each GPU of ${node} serves one pod again.`
  const limits =
    to.kind === 'mps'
      ? 'Memory and threads are split evenly; a fault of one pod can stop the others.'
      : 'Nothing isolates their memory or faults.'
  return `Each GPU of ${node} serves ${to.replicas} pods. ${limits} Keep namespaces other than ${tenant} off this node by a taint.`
}

function placeWords({ pool, model }: Destination): string {
  const parts = [pool === '' ? '' : `in pool ${pool}`, model === '' ? '' : `on ${model}`].filter((part) => part !== '')
  return parts.length === 0 ? 'wherever there is room' : parts.join(' ')
}
