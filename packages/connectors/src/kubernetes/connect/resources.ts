/** What the reader asks of one resource of the Kubernetes API. */
export type ResourceRule = {
  /** Empty for the core group. */
  readonly group: string
  /** Versions it can read, the preferred one first. */
  readonly versions: readonly string[]
  readonly verbs: readonly Verb[]
  /** Kept by list and watch; or looked up when a pod names an owner of that kind. */
  readonly use: 'mirror' | 'lookup'
  /** `operator` is the namespace of the NVIDIA GPU Operator. */
  readonly scope: 'cluster' | 'operator'
  /** False: part of every Kubernetes. True: used only where discovery finds it. */
  readonly discovered: boolean
  readonly query: Readonly<Record<string, string>>
  /** What is lost, and what is done instead, when the reader may not read it. */
  readonly without: string
}
export type Verb = 'get' | 'list' | 'watch'

const WATCHED = ['list', 'watch'] as const
const LOOKED_UP = ['get', 'list'] as const
const owner = { use: 'lookup', scope: 'cluster', discovered: false, query: {}, verbs: LOOKED_UP } as const
const APPS = { ...owner, group: 'apps', versions: ['v1'] } as const
const mirror = { use: 'mirror', scope: 'cluster', query: {}, verbs: WATCHED } as const
const CORE = { ...mirror, group: '', versions: ['v1'], discovered: false } as const
const DRA = { ...mirror, group: 'resource.k8s.io', versions: ['v1', 'v1beta2', 'v1beta1'], discovered: true } as const
const KUEUE = { ...mirror, group: 'kueue.x-k8s.io', versions: ['v1beta2', 'v1beta1'], discovered: true } as const

const VOLCANO = { ...mirror, group: 'scheduling.volcano.sh', versions: ['v1beta1'], discovered: true } as const
const KAI = { ...mirror, group: 'scheduling.run.ai', versions: ['v2'], discovered: true } as const

/**
 * Everything the reader ever reads, by its name in the API and, where several have one name, by its group too. The shipped
 * ClusterRole grants exactly this, and a test compares the two.
 */
const RESOURCES = {
  nodes: { ...CORE, without: 'no GPU capacity is known' },
  pods: {
    ...CORE,
    query: { fieldSelector: 'status.phase!=Succeeded,status.phase!=Failed' },
    without: 'who holds or waits for a GPU is known only as far as the exporter labels say it',
  },
  configmaps: {
    ...CORE,
    scope: 'operator',
    query: { labelSelector: 'app.kubernetes.io/component=nvidia-mig-manager' },
    without: 'MIG profiles come from the built-in catalog instead of from the nodes',
  },
  replicasets: { ...APPS, without: 'Deployments are named by the pod-template-hash rule instead' },
  deployments: { ...APPS, without: 'work is shown under its Deployment, whatever owns that' },
  statefulsets: { ...APPS, without: 'work is shown under its StatefulSet, whatever owns that (a Notebook, for one)' },
  jobs: {
    ...owner,
    group: 'batch',
    versions: ['v1'],
    without: 'CronJobs are named by the timestamp that ends the names of their Jobs instead',
  },
  resourceslices: { ...DRA, without: 'MIG placements are inferred instead' },
  resourceclaims: { ...DRA, without: 'devices that pods hold through claims are inferred instead' },
  workloads: { ...KUEUE, without: 'work that Kueue holds back is seen only once its pods exist' },
  clusterqueues: { ...KUEUE, without: 'queue lengths and quotas are unknown' },
  poddisruptionbudgets: {
    ...CORE,
    group: 'policy',
    without: 'how many pods may be evicted at once is unknown before it is tried',
  },
  resourcequotas: { ...CORE, without: 'limits of namespaces on GPUs are unknown before they refuse a pod' },
  namespaces: { ...CORE, without: 'whether the namespace of new work is there is unknown' },
  priorityclasses: {
    ...CORE,
    group: 'scheduling.k8s.io',
    discovered: true,
    without: 'whether new work may push others out, or names a class that is not there, is unknown',
  },
  events: {
    ...CORE,
    // Nodes report much and often, and nothing of it is about one workload.
    query: { fieldSelector: 'involvedObject.kind!=Node' },
    without: 'why pods were refused, evicted or restarted is known only as far as the pods themselves report it',
  },
  localqueues: { ...KUEUE, without: 'work is shown under its local queue instead of its cluster queue' },
  resourceflavors: { ...KUEUE, without: 'whether work of a queue would start is unknown, as its nodes are' },
  cohorts: { ...KUEUE, without: 'what queues may borrow is counted within their own cohort only' },
  'queues.scheduling.volcano.sh': { ...VOLCANO, without: 'limits of queues of Volcano are unknown' },
  'podgroups.scheduling.volcano.sh': {
    ...VOLCANO,
    without: 'work that Volcano holds back is seen only once its pods exist, and its queue is unknown',
  },
  'queues.scheduling.run.ai': { ...KAI, without: 'limits of queues of KAI are unknown' },
} as const satisfies Record<string, ResourceRule>

export type ResourceName = keyof typeof RESOURCES

export const RESOURCE_NAMES = Object.keys(RESOURCES).filter((name): name is ResourceName => name in RESOURCES)

/** The rule of a resource, with the literal types widened. */
export const ruleOf = (name: ResourceName): ResourceRule => RESOURCES[name]

/** `queues`: the name of a resource within its group. */
export const pluralOf = (name: ResourceName): string => name.split('.', 1).join()

/** `resourceslices.resource.k8s.io`, as Kubernetes' own messages name it. */
export const qualified = (name: ResourceName): string =>
  RESOURCES[name].group === '' ? name : `${pluralOf(name)}.${RESOURCES[name].group}`

/** Where a group version lives: `/api/v1`, `/apis/apps/v1`. */
export const groupPath = (group: string, version: string): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`
