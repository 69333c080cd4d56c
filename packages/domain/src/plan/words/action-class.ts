import { namesOf } from '../../analyze/field-values.ts'

/** What is allowed or forbidden as one, and all there is to know of it but what it does, which its rule and its steps say. */
type ClassRow = {
  /** What it asks a person to do: "Reclaim idle". */
  readonly title: string
  /** The same as a subject of a sentence: "Stopping idle work". */
  readonly doing: string
  /** What it does, for whoever decides whether to allow it: a sentence. */
  readonly help: string
  /** The most that it can be let do, as modes of policies are called; what is suggested at the most no step of Septet carries out. */
  readonly most: 'auto' | 'approve' | 'suggest'
  /** What may restart a node, or does not come back, is approved by an admin. */
  readonly approver?: 'admin'
  /** What it saves, in GPU-hours: a bill falls only when a node goes. Absent: it starts waiting work or keeps room for it. */
  readonly effect?: 'capacity-freed' | 'bill-reduced'
  /** It ends work that does nothing: its owner is warned before, and doing nothing afterwards is no slower work. */
  readonly stopsWork?: true
  /** What becomes of pods that an undo stops. */
  readonly undone: string
  /** How the past month tells what it would have done: what one of them is called, or why it cannot tell. Absent: it is never on auto. */
  readonly replay?:
    | { readonly one: string; readonly done: string; readonly caption: string }
    | { readonly because: string }
  /** Of what a rule recommends: */
  readonly advice?: {
    /** It is worth doing only by what it saves, or the room that it gives back. */
    readonly mustSave: boolean
    /** What was measured over the time of its evidence; in a sentence why nothing was. */
    readonly past: 'use' | 'idle' | 'size' | 'held' | { readonly because: string }
  }
  /**
   * What the API server has to let the actor do: the role of `deploy/actor-ROLE.yaml` and of the chart's switch, which classes
   * with the same steps share, and its grants, verbs and resources as RBAC names them, each with its API group: "get,patch
   * deployments.apps", "delete pods in gpu-operator". Absent: no step of Septet carries it out.
   */
  readonly rights?: { readonly role: string; readonly grants: readonly string[] }
}

const SIZED = 'will be replaced, as the size changes back'
const ON_SLICES = 'started on the new slices and will be evicted'
const STOPPED = 'will be stopped'

const TEMPLATES = 'deployments.apps,statefulsets.apps,notebooks.kubeflow.org,inferenceservices.serving.kserve.io'
/** LeaderWorkerSets. */
const GANGS = 'leaderworkersets.leaderworkerset.x-k8s.io'
const TO_AN_END = 'jobs.batch,jobsets.jobset.x-k8s.io,pytorchjobs.kubeflow.org,rayclusters.ray.io'
/** Pods have to leave, and their owners are asked whether they want them kept (`septet.io/keep`). */
const LEAVING = ['get,list pods', 'create pods/eviction', `get ${TEMPLATES},${GANGS},${TO_AN_END}`]
const CLOSING = [...LEAVING, 'get,patch nodes']
const KARPENTER = ['list,delete nodeclaims.karpenter.sh', 'get nodepools.karpenter.sh']
const AUTOSCALER = 'get configmaps named cluster-autoscaler-status in kube-system'
/** A part of the GPU Operator sets the node up anew, by a configuration in one of these ConfigMaps. */
const operated = (...maps: readonly string[]) => [
  ...LEAVING,
  'get,list,patch nodes',
  'list clusterpolicies.nvidia.com',
  `get,patch configmaps named ${maps.join(',')} in gpu-operator`,
  'delete pods in gpu-operator',
]
const REPARTITION = { role: 'repartition', grants: operated('septet-mig-config', 'custom-mig-config') }
const RESIZE = { role: 'right-size', grants: [`get,patch ${TEMPLATES},${GANGS}`, 'list pods', 'create pods/eviction'] }
/** What would start again what was stopped. */
const STARTERS = 'list pods,horizontalpodautoscalers.autoscaling,scaledobjects.keda.sh'

/**
 * Every class of action, the most useful first. Policies, schemas, words, what may be approved, how savings are counted and the
 * settings page are made from this table; the compiler then asks for its rule and, where it is replayed, its score.
 */
export const CLASSES = {
  'reclaim-idle': {
    title: 'Reclaim idle',
    doing: 'Stopping idle work',
    help: 'Stops workloads that hold idle GPUs, after warning the owner.',
    most: 'auto',
    effect: 'capacity-freed',
    stopsWork: true,
    advice: { mustSave: true, past: 'idle' },
    undone: STOPPED,
    replay: { one: 'stop', done: 'Stopped', caption: 'What would have been stopped' },
    rights: { role: 'reclaim-idle', grants: [`get,patch ${TEMPLATES}`, STARTERS] },
  },
  'fewer-gpus': {
    title: 'Fewer GPUs',
    doing: 'Giving work fewer GPUs',
    help: 'Reduces replicas, or GPUs per pod, where fewer are enough.',
    most: 'auto',
    effect: 'capacity-freed',
    advice: { mustSave: true, past: 'use' },
    undone: SIZED,
    replay: { one: 'change', done: 'Given fewer', caption: 'What would have got fewer GPUs' },
    rights: RESIZE,
  },
  'right-size': {
    title: 'Right-size',
    doing: 'Giving work a smaller size',
    help: 'Moves workloads to a smaller MIG slice that fits their measured peak.',
    most: 'auto',
    effect: 'capacity-freed',
    advice: { mustSave: true, past: 'size' },
    undone: SIZED,
    replay: { one: 'change', done: 'Made smaller', caption: 'What would have been downsized' },
    rights: RESIZE,
  },
  repartition: {
    title: 'Repartition',
    doing: 'Repartitioning GPUs',
    help: 'Changes MIG layouts so that waiting workloads fit.',
    most: 'auto',
    advice: { mustSave: false, past: { because: 'Based on the current queue and free capacity, not on past usage.' } },
    undone: ON_SLICES,
    replay: {
      because:
        'Repartition is not replayed: for a pod that waited then and is gone, only the sum of requests is stored, not which nodes it could run on or its CPU, memory and priority. Without that, there is no telling which layout would have started it.',
    },
    rights: REPARTITION,
  },
  'mig-mode': {
    title: 'MIG mode',
    doing: 'Changing the MIG mode of GPUs',
    help: 'Turns MIG mode on or off. The node may restart, so each one needs approval.',
    most: 'approve',
    approver: 'admin',
    undone: ON_SLICES,
    rights: REPARTITION,
  },
  'remove-node': {
    title: 'Scale down',
    doing: 'Removing nodes',
    help: 'Removes a mostly free node after moving its workloads.',
    most: 'auto',
    approver: 'admin',
    effect: 'bill-reduced',
    advice: { mustSave: true, past: 'held' },
    undone: STOPPED,
    replay: { one: 'removal', done: 'Removed', caption: 'What would have been removed' },
    rights: { role: 'remove-node', grants: [...CLOSING, ...KARPENTER, AUTOSCALER] },
  },
  share: {
    title: 'Share',
    doing: 'Sharing GPUs',
    help: 'Time-slices one GPU among pods that use it at different times.',
    most: 'auto',
    effect: 'capacity-freed',
    advice: { mustSave: false, past: 'use' },
    undone: 'started on the shared GPUs and will be evicted',
    replay: {
      because:
        'Share is not replayed: taints and tolerations, which keep other namespaces off a shared node, are not recorded hour by hour.',
    },
    rights: { role: 'share', grants: operated('septet-device-plugin', 'device-plugin-config') },
  },
  appointment: {
    title: 'Appointment',
    doing: 'Keeping GPUs free for an appointment',
    help: 'Cordons nodes so that GPUs are free at a set time, and reopens them afterwards.',
    most: 'approve',
    undone: STOPPED,
    rights: { role: 'appointment', grants: CLOSING },
  },
  reschedule: {
    title: 'Reschedule',
    doing: 'Moving waiting work',
    help: 'Relaxes placement rules of waiting workloads so that they can start elsewhere.',
    most: 'suggest',
    advice: { mustSave: false, past: { because: 'It concerns waiting work, which has no usage to measure.' } },
    undone: STOPPED,
  },
} as const satisfies Readonly<Record<string, ClassRow>>

type Classes = typeof CLASSES
export type ActionClass = keyof Classes
export const ACTION_CLASSES = namesOf(CLASSES)

/** With what only some have. */
export const classRow = (name: ActionClass): ClassRow => CLASSES[name]

type ClassWith<Part> = { [Name in ActionClass]: Classes[Name] extends Part ? Name : never }[ActionClass]

/** Classes that a rule recommends. */
export type RecommendationKind = ClassWith<{ readonly advice: object }>
export const RECOMMENDATION_KINDS = ACTION_CLASSES.filter((own): own is RecommendationKind => 'advice' in CLASSES[own])

/** Classes that a policy may put on auto. */
export type AutoClass = ClassWith<{ readonly most: 'auto' }>
export const AUTO_CLASSES = ACTION_CLASSES.filter((name): name is AutoClass => CLASSES[name].most === 'auto')
/** The others, of which a person decides each one. */
export type ClassByPerson = Exclude<ActionClass, AutoClass>
export const CLASSES_BY_PERSON = ACTION_CLASSES.filter((name): name is ClassByPerson => CLASSES[name].most !== 'auto')

/** Classes whose past decisions can be told from what is stored. */
export type ReplayedClass = ClassWith<{ readonly replay: { readonly done: string } }>
/** What is replayed where nobody says which. */
export const REPLAYED_BY_DEFAULT = 'reclaim-idle' satisfies ReplayedClass
export const REPLAYED_CLASSES = ACTION_CLASSES.filter(
  (own): own is ReplayedClass => 'done' in (classRow(own).replay ?? {}),
)
