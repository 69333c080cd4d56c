import { toldScheduler, type ToldCause } from '../cluster/wait-cause.ts'
import type { Pod } from '../cluster/workload.ts'
import type { Instant } from '../units.ts'
import type { WaitCause } from './wait-causes.ts'
import type { WaitChange } from './waits.ts'

type Told = { readonly cause: WaitCause; readonly change: WaitChange }
const told = (cause: WaitCause, kind: string, sentence: string): Told => ({ cause, change: { kind, sentence } })

/** Causes that the words of the scheduler or of Kueue alone tell, and what would start the work. */
export const WHERE_TOLD = {
  evicting: told('quota', 'wait', 'Nothing to change: its queue evicts other work for it.'),
  check: told('check', 'check', 'See what its admission check waits for: the check alone lets it in.'),
  topology: told('topology', 'rules', 'Ask for a wider level of the topology, or free a place where its pods fit.'),
  flavor: told('affinity', 'rules', 'Loosen its node selector or affinity, or give its queue a flavor that matches.'),
  turn: told('queue', 'wait', 'See why the pods of the work before it are not ready.'),
  queue: told('queue', 'queue', 'Create or resume its queue, or name one that takes it.'),
  'not-tried': told('not-tried', 'wait', 'See whether its scheduler runs: nothing has tried to place it.'),
  gang: told('gang', 'gang', 'Make room for the rest of its group: see why the other pods of it wait.'),
  gate: told('gate', 'gate', 'Remove its scheduling gate: its owner does that once it is ready.'),
  volume: told('volume', 'volume', 'Provide its volume: the events of its PersistentVolumeClaim say what is missing.'),
  claim: told('other', 'claim', 'See the events of its ResourceClaim: they say what is missing.'),
  spread: told('spread', 'spread', 'Loosen its spread or pod affinity rules.'),
  share: told('share', 'room', 'Ask for less memory or fewer cores of a GPU, or free a share of one.'),
  unsized: told('broken', 'mend', 'Label its nodes with nvidia.com/gpu.memory, and restart its scheduler.'),
  cpu: told('cpu-memory', 'room', 'Ask for less CPU, or free some where it may run.'),
  memory: told('cpu-memory', 'room', 'Ask for less memory, or free some where it may run.'),
  pods: told('other', 'room', 'End other pods where it may run, or let its nodes take more pods.'),
  ports: told('other', 'room', 'Ask for no host port, for others, or let it run on more nodes.'),
  other: told('other', 'room', 'Free or add what else it asks for; the scheduler names it.'),
  rules: told('affinity', 'rules', 'Loosen its node selector or affinity, or label a node for it.'),
  taint: told('affinity', 'rules', 'Add a toleration, or remove the taint from a node.'),
  cordoned: told('broken', 'mend', 'Uncordon a node that it may use.'),
  broken: told('broken', 'mend', 'Bring a node back that it may use.'),
} satisfies Record<Exclude<ToldCause, 'quota' | 'not-let-in' | 'device'>, Told>

/** A scheduler that runs looks at what is new within seconds. */
const SOON_MS = 60_000

/** What to do about a pod that nothing has tried to place. */
export function whereNotTried({ createdAt, waiting }: Pick<Pod, 'createdAt' | 'waiting'>, now: Instant): WaitChange {
  const { change } = WHERE_TOLD['not-tried']
  if (now - createdAt < SOON_MS)
    return { ...change, sentence: 'Nothing to change: it is new, and its scheduler looks at it within a minute.' }
  const name = waiting && toldScheduler(waiting)
  return name === undefined
    ? change
    : { ...change, sentence: `See whether the scheduler ${name} runs: it has not looked at this pod.` }
}
