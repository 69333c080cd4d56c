import { agree, plural } from '../words.ts'
import type { Waiting } from './workload.ts'

/**
 * Why work waits, as a sentence of our own that names the cause first, read from what the scheduler or Kueue said. Empty
 * where their words are not known: a cause is not guessed. Nodes that are ruled out before room is looked at come after.
 */
export function waitCause({ reason, message }: Waiting): string {
  const plain = PLAIN.find(([pattern]) => pattern.test(`${reason}: ${message}`))
  if (plain !== undefined) return plain[2]
  const causes = causesIn(message)
  const [first, ...others] = CAUSES.flatMap((kind) => causes.get(kind) ?? [])
  if (first === undefined) return ''
  const besides = others.map(({ nodes, besides: words }) => words(nodes)).join('; ')
  return besides === '' ? first.alone : `${first.alone} Besides, ${besides}.`
}

/** What the scheduler or Kueue gives as the cause, in one word: the first of those that `waitCause` tells; undefined: not known. */
export function toldCause({ reason, message }: Waiting): ToldCause | undefined {
  const plain = PLAIN.find(([pattern]) => pattern.test(`${reason}: ${message}`))
  if (plain !== undefined) return plain[1]
  const causes = causesIn(message)
  return CAUSES.find((kind) => causes.has(kind))
}

export type ToldCause = Whole | Kind
type Whole = 'quota' | 'not-let-in' | 'gang' | 'gate' | 'volume'

/**
 * What holds work back as a whole, whatever single nodes say. The words of Kueue, the quota controller, the scheduler, Volcano
 * and KAI.
 */
const PLAIN: readonly (readonly [RegExp, Whole, string])[] = [
  [
    /insufficient (?:unused )?quota|exceeded quota|WaitingForQuota|maximum capacity|OverLimit|reached the allowable limit/iu,
    'quota',
    'Its quota is used up: it waits until other work of the quota ends.',
  ],
  [
    /NonPreemptibleOverQuota/u,
    'quota',
    'Its queue has too little guaranteed quota left, and work that cannot be preempted gets no more than that.',
  ],
  [
    /^PodGroupPending: /u,
    'not-let-in',
    'Volcano has not let it into its queue yet: the queue or the cluster has too little left for all of its pods.',
  ],
  [
    /^NotEnoughTasks: |^NotEnoughPodsOfTask: /u,
    'gang',
    'It starts only once all of its group is there, and some of its pods have not been made yet.',
  ],
  [
    /once minAvailable is satisfied|pod group is not ready/u,
    'gang',
    'It starts only together with its group, and other pods of the group cannot start yet.',
  ],
  [/SchedulingGated|scheduling gate/iu, 'gate', 'A scheduling gate holds it back until its owner removes the gate.'],
  [
    /persistentvolume|volume node affinity|max volume count|no available volume zone/iu,
    'volume',
    'It waits for a volume.',
  ],
]

/**
 * In the order in which they are told: rules about other pods, which the scheduler only looks at where there is room; what
 * room is missing where it may run; which nodes it may not use.
 */
const CAUSES = ['spread', 'device', 'cpu', 'memory', 'other', 'rules', 'taint', 'cordoned', 'broken'] as const
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
  [/^(?:Insufficient (?:nvidia\.com|volcano\.sh)\/|cannot allocate all claims)|enough resources: GPUs/u, 'device'],
  [/^Insufficient cpu$|enough resources: CPU/u, 'cpu'],
  [/^Insufficient memory$|enough resources: memory/iu, 'memory'],
  [/^Insufficient /u, 'other'],
  [/topology spread|anti-affinity|pod affinity/u, 'spread'],
  [/affinity|selector/u, 'rules'],
  // The node controller's own taints: what is wrong is the node, not the pod.
  [/taint \{node\.kubernetes\.io\/(?:not-ready|unreachable|[a-z]+-pressure|network-unavailable)/u, 'broken'],
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
  const name = resourceIn(words).replace(/^(?:nvidia\.com|volcano\.sh)\//u, '')
  if (name === 'gpu') return 'whole GPU'
  return name === 'gpu.shared' || name.startsWith('vgpu-') ? 'shared GPU' : name
}
