import type { GpuRequest, Pod } from '@septet/domain'
import { compareText } from '@septet/domain'
import { sumRequests } from './gpu-requests.ts'
import type { OwnerChain } from './owner-chain.ts'
import type { PodFacts } from './parse-pod.ts'

/** A pod, whose it is, and the labels that tell its class and queue. */
export type OwnedPod = { readonly pod: Pod; readonly chain: OwnerChain; readonly labels: PodFacts['labels'] }

/** Pods that ask for a GPU, by resource or by claim, in order of their ids. */
export function assemblePods(
  facts: Iterable<PodFacts>,
  context: {
    readonly chainOf: (pod: PodFacts) => OwnerChain
    readonly claimed: ReadonlyMap<string, readonly GpuRequest[]>
  },
): readonly OwnedPod[] {
  const owned: OwnedPod[] = []
  for (const each of facts) {
    const requests = requestsOf(each, context.claimed)
    if (requests.length === 0) continue
    const chain = context.chainOf(each)
    owned.push({ pod: toPod(each, chain, requests), chain, labels: each.labels })
  }
  return owned.toSorted((a, b) => compareText(a.pod.id, b.pod.id))
}

function requestsOf(pod: PodFacts, claimed: ReadonlyMap<string, readonly GpuRequest[]>): readonly GpuRequest[] {
  if (pod.claims.length === 0) return pod.requests
  const byClaim = pod.claims.flatMap((name) => claimed.get(`${pod.namespace}/${name}`) ?? [])
  return sumRequests([...pod.requests, ...byClaim])
}

const toPod = (facts: PodFacts, chain: OwnerChain, requests: readonly GpuRequest[]): Pod => ({
  id: `${facts.namespace}/${facts.name}`,
  uid: facts.uid,
  namespace: facts.namespace,
  name: facts.name,
  node: facts.node,
  phase: facts.phase,
  requests,
  scheduling: facts.scheduling,
  workload: `${facts.namespace}/${chain.kind}/${chain.name}`,
  createdAt: facts.createdAt,
  startedAt: facts.startedAt,
  waiting: facts.waiting,
})
