import { compareText, type GpuRequest, type Pod } from '@septet/domain'
import { intern } from '../read/intern.ts'
import { CHOOSES } from '../read/parse-claim.ts'
import { sumRequests } from '../read/gpu-requests.ts'
import type { OwnerChain } from '../read/owner-chain.ts'
import type { PodFacts } from '../read/parse-pod.ts'

/** A pod, whose it is, the labels that tell its class and queue, the containers that ask for GPUs, and its marks. */
export type OwnedPod = Pick<PodFacts, 'labels' | 'containers' | 'marks'> & {
  readonly pod: Pod
  readonly chain: OwnerChain
}

/** Pods that ask for a GPU, by resource or by claim, in order of their ids. */
export function assemblePods(
  facts: Iterable<PodFacts>,
  context: {
    readonly chainOf: (pod: PodFacts) => OwnerChain
    readonly claimed: ReadonlyMap<string, readonly GpuRequest[]>
    /** `namespace/name` of claims without devices that choose some by rules that are not judged. */
    readonly choosing: ReadonlySet<string>
  },
): readonly OwnedPod[] {
  const owned: OwnedPod[] = []
  for (const each of facts) {
    const requests = requestsOf(each, context.claimed)
    if (requests.length === 0 || each.isPlaceholder === true) continue
    owned.push(ownedPod(each, context.chainOf(each), { requests, scheduling: schedulingOf(each, context.choosing) }))
  }
  return owned.toSorted((a, b) => compareText(a.pod.id, b.pod.id))
}

/**
 * The same object as before while nothing that it says has changed, so that what was made of it need not be made again.
 */
function ownedPod(facts: PodFacts, chain: OwnerChain, asked: Asked): OwnedPod {
  const known = made.get(facts)
  if (known !== undefined && isSameChain(known.chain, chain) && isSameAsked(known.pod, asked)) return known
  const { labels, containers, marks } = facts
  const owned = { pod: toPod(facts, chain, asked), chain, labels, containers, marks }
  made.set(facts, owned)
  return owned
}

const made = new WeakMap<PodFacts, OwnedPod>()

const isSameChain = (a: OwnerChain, b: OwnerChain): boolean =>
  a === b || (a.kind === b.kind && a.name === b.name && a.createdAt === b.createdAt && isSameList(a.uids, b.uids))

type Asked = Pick<Pod, 'requests' | 'scheduling'>

const isSameAsked = (a: Asked, b: Asked): boolean =>
  a.scheduling === b.scheduling &&
  (a.requests === b.requests || JSON.stringify(a.requests) === JSON.stringify(b.requests))

function schedulingOf({ namespace, claims, scheduling }: PodFacts, choosing: ReadonlySet<string>): Pod['scheduling'] {
  const claim = claims.find((name) => choosing.has(`${namespace}/${name}`))
  return claim === undefined ? scheduling : intern({ ...scheduling, elsewhere: `its claim ${claim} ${CHOOSES}` })
}

function requestsOf(pod: PodFacts, claimed: ReadonlyMap<string, readonly GpuRequest[]>): readonly GpuRequest[] {
  if (pod.claims.length === 0) return pod.requests
  const byClaim = pod.claims.flatMap((name) => claimed.get(`${pod.namespace}/${name}`) ?? [])
  return sumRequests([...pod.requests, ...byClaim])
}

const toPod = (facts: PodFacts, chain: OwnerChain, { requests, scheduling }: Asked): Pod => ({
  id: `${facts.namespace}/${facts.name}`,
  uid: facts.uid,
  namespace: facts.namespace,
  name: facts.name,
  node: facts.node,
  phase: facts.phase,
  requests,
  scheduling,
  workload: `${facts.namespace}/${chain.kind}/${chain.name}`,
  createdAt: facts.createdAt,
  startedAt: facts.startedAt,
  ...(facts.refusedAt === undefined ? {} : { refusedAt: facts.refusedAt }),
  ...(facts.endsBy === undefined ? {} : { endsBy: facts.endsBy }),
  ...(facts.stuck === undefined ? {} : { stuck: facts.stuck }),
  ...(facts.grace === undefined ? {} : { grace: facts.grace }),
  waiting: facts.waiting,
})

/** Whether two lists hold the very same things in the same order. */
export const isSameList = <Item>(a: readonly Item[], b: readonly Item[]): boolean =>
  a === b || (a.length === b.length && a.every((item, at) => item === b[at]))
