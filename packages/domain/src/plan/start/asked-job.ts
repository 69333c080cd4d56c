import type { NodeRequirement, QueueOwner } from '../../cluster/scheduling.ts'
import type { PodAsk } from '../../fleet/fits.ts'

/** Work that somebody means to submit, as its manifest says it. */
export type AskedJob = {
  readonly kind: string
  readonly namespace: string
  readonly name: string
  /** Its manifest makes that namespace too. Absent: no. */
  readonly makesNamespace?: true
  /** The local queue of Kueue that it names. */
  readonly queue: string | undefined
  /** The queue of another scheduler that it names. Absent: none. */
  readonly schedulerQueue?: { readonly owner: QueueOwner; readonly name: string }
  /** Whether it is of use only once all its pods run: then they are judged as a whole. */
  readonly gang: boolean
  /** Why nothing but its owner starts it, in sentences; empty where anything else may. */
  readonly stopped: readonly string[]
  /** Its pods are there: the API server has let them in. Absent: not yet. */
  readonly isSubmitted?: true
  readonly groups: readonly AskedPods[]
  /** Its pods are put together from what its manifest says, so that no patch of it is proposed. Absent: they are written there. */
  readonly isMade?: true
  /** What of the job as a whole cannot be judged, and why. */
  readonly unknown: readonly string[]
  readonly edit: JobEdit
}

export const SUSPENDED = 'It is suspended: nothing starts it until suspend is set to false.'

/** What a manifest asks for; or why nobody can say, and what to do about it. */
export type ManifestReading =
  | { readonly kind: 'read'; readonly jobs: readonly AskedJob[] }
  | { readonly kind: 'refused'; readonly because: string; readonly todo: string }

/** Reads a manifest. `namespace` is where work goes that names none. */
export type ReadManifest = (text: string, namespace: string) => ManifestReading

/** Pods of a job that are alike; controllers add labels to those of their template. */
export type AskedPods = PodAsk & {
  /** `Worker`, `head`, …; empty where the job has one part only. */
  readonly part: string
  readonly count: number
  /** One on each node that they may run on, however many are counted. Absent: no. */
  readonly onEachNode?: true
  /** What some of their containers do not say how much of they ask for. */
  readonly unsaid: readonly ('cpu' | 'memory')[]
  /** Required rules about where other pods are, and these pods themselves. */
  readonly spread: readonly SpreadRule[]
  /** The PriorityClass that they name: a name whose value no manifest tells. Absent: none. */
  readonly priorityClass?: string
  /** May they push out pods of lower priority, as far as they say themselves? */
  readonly preempts: boolean
  /** What of these pods cannot be judged, and why. */
  readonly unknown: readonly string[]
  readonly edit: PodEdit
}

/** At most so many more pods that it is about in one domain than in another; `apart`: none beside them. */
export type SpreadRule = {
  readonly topologyKey: string
  readonly most: number | 'apart'
  /** Whom it is about, and where: absent: in the namespace of the job; empty: nobody who is there already. */
  readonly selector: readonly NodeRequirement[]
  readonly namespaces?: readonly string[] | 'all'
  /** It is about the pods that have it as well. */
  readonly own: boolean
  /** With fewer domains the emptiest counts as empty. */
  readonly minDomains?: number
  /** Nodes that it counts beside those that the pods' own rules allow; and not those whose taints they do not tolerate. */
  readonly anyNode?: true
  readonly honorsTaints?: true
}

/** Where in the manifest a job says what a change would have to alter; JSON pointers into one of its documents. */
type JobEdit = {
  readonly document: number
  /** Of the label that names its queue. */
  readonly queue: string | undefined
  /** Of `suspend`. */
  readonly suspend: string | undefined
}

/** The same for pods. */
type PodEdit = {
  /** The specification of the pod. */
  readonly spec: string
  readonly hasTolerations: boolean
  /** How many there are; undefined where the manifest leaves it open or it cannot be made smaller. */
  readonly count: string | undefined
  /** The one container that asks for GPUs; undefined where there are none or several. */
  readonly gpu: ContainerEdit | undefined
  /** The container that asks for most CPU, and the one that asks for most memory. */
  readonly cpu: AmountEdit | undefined
  readonly memory: AmountEdit | undefined
}

export type ContainerEdit = {
  /** Its `resources`. */
  readonly resources: string
  /** Which of `requests` and `limits` name the devices. */
  readonly lists: readonly ('requests' | 'limits')[]
}

export type AmountEdit = {
  readonly resources: string
  readonly hasRequests: boolean
  /** Of the pod's sum what this container asks for: thousandths of a core, or MiB. */
  readonly own: number
}

/** One operation of a JSON patch (RFC 6902). */
export type ManifestChange = {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: string
  readonly value?: unknown
}

/** A key as one part of a JSON pointer (RFC 6901). */
export const pointerPart = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')
