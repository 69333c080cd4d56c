import { agree, plural } from '../words.ts'
import type { Waiting } from './workload.ts'

/**
 * Why work waits, as a sentence of our own that names the cause first, read from what the scheduler or Kueue said. Empty
 * where their words are not known: a cause is not guessed. Nodes that are ruled out before room is looked at come after.
 */
export function waitCause(waiting: Waiting): string {
  const plain = plainIn(waiting)
  if (plain !== undefined) return plain.sentence
  const causes = causesIn(waiting.message)
  const [first, ...others] = CAUSES.flatMap((kind) => causes.get(kind) ?? [])
  if (first === undefined) return ''
  const besides = others.map(({ nodes, besides: words }) => words(nodes)).join('; ')
  return besides === '' ? first.alone : `${first.alone} Besides, ${besides}.`
}

/** What the scheduler or Kueue gives as the cause, in one word: the first of those that `waitCause` tells; undefined: not known. */
export function toldCause(waiting: Waiting): ToldCause | undefined {
  const causes = causesIn(waiting.message)
  return plainIn(waiting)?.kind ?? CAUSES.find((kind) => causes.has(kind))
}

/** A quota of Kueue that is too small: of which resource, and how much of it is missing, as Kueue writes it. */
export type ToldQuota = { readonly resource: string; readonly missing: string }

/** The quota that Kueue names as what holds work back; undefined where it names none. */
export function toldQuota({ message }: Waiting): ToldQuota | undefined {
  const { resource, missing } = SHORT_OF.exec(message)?.groups ?? {}
  return resource === undefined || missing === undefined ? undefined : { resource, missing }
}

/** The scheduler that has not looked at a pod; undefined where none is named. */
export const toldScheduler = ({ message }: Waiting): string | undefined => NOT_LOOKED.exec(message)?.groups?.['name']

const NOT_LOOKED = /The scheduler (?<name>\S+) has not looked at this pod yet/u

const SHORT_OF =
  /insufficient (?:unused )?quota for (?<resource>\S+) in flavor [^,]+, (?<missing>[\d.]+\w*) more needed/u

export type ToldCause = Whole | Kind
type Whole = keyof typeof PLAIN

function plainIn({ reason, message }: Waiting): { readonly kind: Whole; readonly sentence: string } | undefined {
  const told = `${reason}: ${message}`
  for (const kind of WHOLES)
    for (const [pattern, sentence] of PLAIN[kind]) {
      const found = pattern.exec(told)
      if (found !== null)
        return { kind, sentence: sentence.replaceAll(/<(\w+)>/gu, (_, name) => found.groups?.[String(name)] ?? '') }
    }
  return undefined
}

type Plain = readonly (readonly [RegExp, string])[]

/**
 * What holds work back as a whole, whatever single nodes say; `<name>` stands for what the pattern found under that name.
 * The words of Kueue (before and since version 0.19, which renamed its reasons), the quota controller, the scheduler (also of
 * its gangs: kubernetes/kubernetes pkg/scheduler/framework/plugins/gangscheduling), Volcano, HAMi and KAI.
 */
const PLAIN = {
  evicting: [
    [
      /WaitingForPreemptedWorkloads|pending the preemption of/iu,
      'Its queue evicts other work for it, which has not ended.',
    ],
    [
      /PreemptionDelayNotElapsed/u,
      'Its scheduler may evict other work for it, once the preemption delay of its queue is over.',
    ],
  ],
  quota: [
    [SHORT_OF, 'Its queue has too little quota of <resource> left: it lacks <missing>.'],
    [
      /quota for (?<resource>\S+) in flavor .*maximum capacity \((?<asked>\S+) > (?<most>[^)]+)\)/u,
      'Its queue never has enough quota of <resource> for it: it needs <asked>, and there are at most <most>.',
    ],
    [
      /insufficient (?:unused )?quota|exceeded quota|WaitingForQuota|ExceedsMaxQuota|ResourceQuotaNotFit|maximum capacity|OverLimit|reached the allowable limit|queue resource quota insufficient/iu,
      'Its quota is used up: it waits until other work of the quota ends.',
    ],
    [
      /NonPreemptibleOverQuota/u,
      'Its queue has too little guaranteed quota left, and work that cannot be preempted gets no more than that.',
    ],
  ],
  check: [
    [/checks ready: (?<checks>.+)$/u, 'It has its quota and waits for its admission check <checks>.'],
    [
      /checks ready|Unsatisfied(?:Admission)?Checks/u,
      'It has its quota and waits for an admission check of its queue.',
    ],
  ],
  topology: [
    [
      /no topology domains at level: (?<level>\S+)/u,
      'No node that its queue may use has the topology label <level>, or none of those is ready.',
    ],
    [
      /Flavor "(?<flavor>[^"]+)" supports only TopologyAwareScheduling/u,
      'The flavor <flavor> of its queue takes only work that asks for a topology, and this asks for none.',
    ],
    [
      /Flavor "(?<flavor>[^"]+)" does not support TopologyAwareScheduling/u,
      'It asks for a topology, and the flavor <flavor> of its queue has none.',
    ],
    [
      /TopologyPlacementFailed|delayed ?topology ?request|topology "[^"]*" (?:doesn't allow|allows) to fit/iu,
      'Its queue finds no place in the topology of the nodes where its pods fit as it asks.',
    ],
  ],
  flavor: [
    [
      /matching flavor|NoMatchingFlavor/u,
      'No flavor of its queue matches its node selector, affinity and tolerations.',
    ],
  ],
  turn: [
    [
      /WaitingForPodsReady|to be in PodsReady/u,
      'Its queue lets no more in until pods of the work before it are ready.',
    ],
  ],
  queue: [
    [
      /DeviceClass (?<name>\S+) is not mapped in DRA configuration/u,
      'Kueue has no quota for the device class <name>: its configuration has to map that to a resource first.',
    ],
    [/LocalQueue (?<name>\S+) doesn't exist/u, 'Its local queue <name> does not exist.'],
    [/ClusterQueue (?<name>\S+) doesn't exist/u, 'The cluster queue <name> behind its local queue does not exist.'],
    [/(?:Local|Cluster)Queue (?<name>\S+) is (?:inactive|stopped)/u, 'Its queue <name> is stopped or not active.'],
    [/namespace doesn't match ClusterQueue/u, 'Its cluster queue does not serve its namespace.'],
    [/QueueDoesNotExist/u, 'Its queue does not exist, or has no parent queue.'],
    [
      /^(?:Inadmissible|Misconfigured|Suspended|OnHold): /u,
      'Its queue does not take it as it is: its owner or the admin of the queue has to change something.',
    ],
  ],
  'not-let-in': [
    [
      /^PodGroupPending: /u,
      'Volcano has not let it into its queue yet: the queue or the cluster has too little left for all of its pods.',
    ],
  ],
  gang: [
    [
      /waiting for pods's (?:pod group|workload) "[^"]*" to appear|pod group "[^"]*" doesn't exist for a workload/u,
      'It belongs to a group that has not been made yet.',
    ],
    [
      /^NotEnoughTasks: |^NotEnoughPodsOfTask: |minCount pods from a gang to appear/u,
      'It starts only once all of its group is there, and some of its pods have not been made yet.',
    ],
    [
      /once minAvailable is satisfied|pod group is not ready|minCount pods from a gang to be scheduled/u,
      'It starts only together with its group, and other pods of the group cannot start yet.',
    ],
  ],
  gate: [
    [/^AdmissionGated: /u, 'A gate of Kueue holds it back until its owner removes the gate.'],
    [/SchedulingGated|scheduling gate/iu, 'A scheduling gate holds it back until its owner removes the gate.'],
  ],
  volume: [[/unbound (?:immediate )?PersistentVolumeClaim|persistentvolumeclaim "/iu, 'It waits for a volume.']],
  claim: [
    [
      /resourceclaim "|unallocated immediate resourceclaim|create the resourceclaim|device class \S+ (?:does not exist|not found)/iu,
      'It waits for a resource claim, which is not there, not allocated or in use elsewhere.',
    ],
  ],
  'not-tried': [
    [NOT_LOOKED, 'Its scheduler <name> has not looked at it yet.'],
    [
      /has not looked at this pod yet|has not decided on this work yet|PendingEvaluation/u,
      'Nothing has tried to place it yet.',
    ],
  ],
} as const satisfies Record<string, Plain>
const WHOLES = Object.keys(PLAIN).filter((kind): kind is Whole => Object.hasOwn(PLAIN, kind))

/**
 * In the order in which they are told: rules about other pods, which the scheduler only looks at where there is room; what
 * room is missing where it may run; which nodes it may not use.
 */
const CAUSES = [
  'spread',
  'device',
  'share',
  'cpu',
  'memory',
  'pods',
  'ports',
  'other',
  'volume',
  'unsized',
  'rules',
  'taint',
  'cordoned',
  'broken',
] as const
type Kind = (typeof CAUSES)[number]
type Cause = { readonly nodes: number; readonly alone: string; readonly besides: (nodes: number) => string }

/** The scheduler counts nodes by reason: "0/40 nodes are available: 37 Insufficient nvidia.com/gpu, 3 node(s) had …". */
function causesIn(message: string): ReadonlyMap<Kind, Cause> {
  const [told = ''] = message.split(/\.? preemption:/u).map((part) => part.replaceAll(KAI_ENDS, ', '))
  const causes = new Map<Kind, Cause>()
  for (const [, count = '0', words = ''] of told.matchAll(/(?:^|[:,] )(\d+) ([^,]+?)(?=\.?$|,)/gu)) {
    const kind = kindOf(words)
    if (kind === undefined) continue
    const nodes = Number(count) + (causes.get(kind)?.nodes ?? 0)
    causes.set(kind, { nodes, ...WORDS[kind](words) })
  }
  return causes
}

/** KAI says it of each kind of node in a sentence of its own. */
const KAI_ENDS = /\. ?\n?(?=\d+ node)/gu

function kindOf(words: string): Kind | undefined {
  return KINDS.find(([pattern]) => pattern.test(words))?.[1]
}

const KINDS: readonly (readonly [RegExp, Kind])[] = [
  // A part of a GPU by its memory or cores: HAMi's names, Volcano's, and the older ones of both.
  [
    /^Insufficient \S+[./-](?:gpu\.?mem(?:ory)?(?:[.-]percentage)?|gpu\.?cores|vgpu-memory(?:-percentage)?|vgpu-cores)$|enough resources: GPU memory/u,
    'share',
  ],
  [
    /^Card(?:Insufficient|TimeSlicing|ComputeUnits)|^Exclusive|^NumaNotFit|^(?:NodeInsufficient|AllocatedCards)/u,
    'share',
  ],
  [/vgpu-?Device-?Sharing|^NodeUnfitPod/iu, 'share'],
  [/^Card(?:Type|Uuid|NotFound)/u, 'rules'],
  [/^CardNotHealth/u, 'broken'],
  [/gpu memory count on the node was not synced|^node unregistered/u, 'unsized'],
  [/^Insufficient (?:(?:nvidia|amd)\.com|volcano\.sh|gpu\.intel\.com)\//u, 'device'],
  [/^cannot allocate all claims|^resourceclaim|enough resources: (?:GPUs|\S*mig)/iu, 'device'],
  [/^Insufficient cpu$|enough resources: CPU/u, 'cpu'],
  [/^Insufficient memory$|enough resources: memory/iu, 'memory'],
  [/^Too many pods|^Insufficient pods|NodePodNumberExceeded/u, 'pods'],
  [/free ports/u, 'ports'],
  [/^Insufficient /u, 'other'],
  [/volume|pvc\(s\)|free storage|no available disk/iu, 'volume'],
  [/topology spread|anti-affinity|pod affinity/u, 'spread'],
  [/affinity|selector|requested (?:hostname|node name)/u, 'rules'],
  // The node controller's own taints: what is wrong is the node, not the pod. Before taints the scheduler named what it is.
  [
    /taint \{node\.kubernetes\.io\/(?:not-ready|unreachable|[a-z]+-pressure|network-unavailable)|not ready|out of disk|(?:memory|disk|pid) pressure|(?:network|node) unavailable/iu,
    'broken',
  ],
  [/unschedulable/u, 'cordoned'],
  [/taint/u, 'taint'],
]

type Words = Omit<Cause, 'nodes'>

const EVERY = 'Every node that it may use'
const has = (nodes: number): string => `${plural(nodes, 'node')} ${agree(nodes, 'has', 'have')}`
const is = (nodes: number): string => `${plural(nodes, 'node')} ${agree(nodes, 'is', 'are')}`

const WORDS = {
  spread: () => ({
    alone: 'Its spread or pod affinity rules, or those of other pods, keep it off every node that has room.',
    besides: (nodes) => `spread or pod affinity rules out ${plural(nodes, 'node')}`,
  }),
  device: (words) => ({
    alone: `No ${deviceIn(words)} is free where it may run.`,
    besides: (nodes) => `${has(nodes)} no ${deviceIn(words)} free`,
  }),
  share: () => ({
    alone: 'No GPU has a share left that is as large as it asks for, where it may run.',
    besides: (nodes) => `${has(nodes)} no share of a GPU left that is as large as it asks for`,
  }),
  unsized: () => ({
    alone: `The scheduler does not know how much GPU memory the nodes have that it may use.`,
    besides: (nodes) => `of ${plural(nodes, 'node')} the scheduler does not know how much GPU memory there is`,
  }),
  pods: () => ({
    alone: `${EVERY} has as many pods as it takes.`,
    besides: (nodes) => `${has(nodes)} as many pods as ${agree(nodes, 'it takes', 'they take')}`,
  }),
  ports: () => ({
    alone: 'The host ports that it asks for are taken where it may run.',
    besides: (nodes) => `on ${plural(nodes, 'node')} the host ports that it asks for are taken`,
  }),
  volume: () => ({
    alone: 'It waits for a volume.',
    besides: (nodes) => `its volumes rule out ${plural(nodes, 'node')}`,
  }),
  cpu: () => ({
    alone: 'Too little CPU is left where it may run.',
    besides: (nodes) => `${has(nodes)} too little CPU left`,
  }),
  memory: () => ({
    alone: 'Too little memory is left where it may run.',
    besides: (nodes) => `${has(nodes)} too little memory left`,
  }),
  other: (words) => ({
    alone: `Too few ${resourceIn(words)} are left where it may run.`,
    besides: (nodes) => `${has(nodes)} too few ${resourceIn(words)} left`,
  }),
  rules: () => ({
    alone: 'No node matches its node selector or affinity.',
    besides: (nodes) => `its node selector or affinity rules out ${plural(nodes, 'node')}`,
  }),
  taint: () => ({
    alone: `${EVERY} has a taint that it does not tolerate.`,
    besides: (nodes) => `${has(nodes)} a taint that it does not tolerate`,
  }),
  cordoned: () => ({ alone: `${EVERY} is cordoned.`, besides: (nodes) => `${is(nodes)} cordoned` }),
  broken: () => ({ alone: `${EVERY} is broken or not ready.`, besides: (nodes) => `${is(nodes)} broken or not ready` }),
} satisfies Record<Kind, (words: string) => Words>

const resourceIn = (words: string): string => words.replace(/^Insufficient /u, '').replace(/\.$/u, '')

function deviceIn(words: string): string {
  if (words.endsWith(': GPUs')) return 'GPU'
  if (!words.startsWith('Insufficient')) return 'device that its resource claim asks for'
  const name = resourceIn(words).replace(/^(?:(?:nvidia|amd)\.com|volcano\.sh)\//u, '')
  if (name === 'gpu') return 'whole GPU'
  return name === 'gpu.shared' || name.startsWith('vgpu-') ? 'shared GPU' : name
}
