import { isKeptLabel } from '../cluster/kept-labels.ts'
import { matchLabels, type Match, type Repulsion } from '../cluster/neighbors.ts'
import type { GpuNode } from '../cluster/node.ts'
import { keysOf, nodeRefusal, toleratesTaint } from '../cluster/node-rules.ts'
import { CORDON_TAINT, type PodScheduling } from '../cluster/scheduling.ts'
import { onceFor } from '../once-for.ts'
import type { CountedFleet } from './counted-fleet.ts'
import type { OpenNode } from './open-nodes.ts'

/** What keeps pods off a node. */
export type Barrier = {
  readonly kind: 'rules' | 'taint' | 'repelled' | 'closed' | 'device' | 'cpu' | 'memory'
  readonly words: string
}

/** What keeps pods with such rules off each node, whatever is free there. */
export function barriersIn(fleet: CountedFleet, pods: PodScheduling): readonly (Barrier | undefined)[] {
  const key = JSON.stringify([pods.nodeSelector, pods.nodeTerms, pods.tolerations])
  const known = barriersKnown(fleet).get(key)
  if (known !== undefined) return known
  const open = withoutUnkept(pods, fleet.labelKeys)
  const namesHost = keysOf(open).some(isHostKey)
  const barriers = fleet.nodes.map(({ node }) => barrierAt(node, open, namesHost))
  barriersKnown(fleet).set(key, barriers)
  return barriers
}

const barriersKnown = onceFor((_fleet: CountedFleet) => new Map<string, readonly (Barrier | undefined)[]>())

function barrierAt(node: GpuNode, open: PodScheduling, namesHost: boolean): Barrier | undefined {
  const { name, room } = node
  // The kubelet gives its node this label; affinity may name the node by the field as well.
  const labels = namesHost ? { [HOSTNAME]: name, [NAME_FIELD]: name, ...room.labels } : room.labels
  const refusal = nodeRefusal(open, { labels, taints: room.taints })
  // Its own rules come first: a spread rule counts a closed node that they allow, and none that they rule out.
  if (refusal !== undefined && !refusal.startsWith('untolerated')) return { kind: 'rules', words: refusal }
  if (!node.schedulable && !toleratesTaint(open, CORDON)) return { kind: 'closed', words: 'the node is cordoned' }
  if (refusal === undefined) return undefined
  return node.ready ? { kind: 'taint', words: refusal } : { kind: 'closed', words: 'the node is not ready' }
}

export const HOSTNAME = 'kubernetes.io/hostname'
export const NAME_FIELD = 'metadata.name'
const isHostKey = (key: string): boolean => key === HOSTNAME || key === NAME_FIELD

const CORDON = { key: CORDON_TAINT, value: '', effect: 'NoSchedule' }

/** A label that no node is known to carry and that is not kept may be on any of them: it is left to `unsure`. */
const isUnknownKey = (key: string, labelKeys: ReadonlySet<string>): boolean =>
  !isHostKey(key) && !labelKeys.has(key) && !isKeptLabel(key)

function withoutUnkept(pods: PodScheduling, labelKeys: ReadonlySet<string>): PodScheduling {
  const isOpen = (key: string): boolean => !isUnknownKey(key, labelKeys)
  return {
    ...pods,
    nodeSelector: Object.fromEntries(Object.entries(pods.nodeSelector).filter(([key]) => isOpen(key))),
    nodeTerms: pods.nodeTerms.some((term) => term.some(({ key }) => !isOpen(key))) ? [] : pods.nodeTerms,
  }
}

export function unkeptKey({ labelKeys }: CountedFleet, { nodeSelector, nodeTerms }: PodScheduling): string | undefined {
  return [...Object.keys(nodeSelector), ...nodeTerms.flat().map(({ key }) => key)].find((key) =>
    isUnknownKey(key, labelKeys),
  )
}

/** Which pod keeps some pods off a node, and whether that is sure. */
export type Repelled = { readonly pod: string; readonly sure: boolean }

type Labeled = { readonly labels: Readonly<Record<string, string>> }

/** Which nodes pods that run already close to such pods (plugin InterPodAffinity), in the order of the fleet's nodes. */
export function repelledNodes(
  { snapshot, nodes, labelKeys }: CountedFleet,
  { labels }: Labeled,
  namespace: string,
): readonly (Repelled | undefined)[] | undefined {
  const about = (snapshot.neighbors?.repulsions ?? []).flatMap((repulsion) => {
    const meant = isAbout(repulsion, labels, namespace)
    return meant === 'no' ? [] : { ...repulsion, sure: meant === 'yes' }
  })
  if (about.length === 0) return undefined
  return nodes.map((on) => {
    const found = about.flatMap(({ pod, topologyKey, domain, sure }): Repelled | [] => {
      const own = domainOf(on, topologyKey)
      // A label that no node is known to carry may be on any of them.
      if (own === undefined && !labelKeys.has(topologyKey)) return { pod, sure: false }
      return own === domain ? { pod, sure } : []
    })
    return found.find(({ sure }) => sure) ?? found[0]
  })
}

const domainOf = ({ node }: OpenNode, key: string): string | undefined =>
  node.room.labels[key] ?? (key === HOSTNAME ? node.name : undefined)

function isAbout({ namespaces, selector }: Repulsion, labels: Labeled['labels'], namespace: string): Match {
  if (namespaces !== 'all' && namespaces !== 'unread' && !namespaces.includes(namespace)) return 'no'
  const meant = matchLabels(selector, labels)
  return meant === 'yes' && namespaces === 'unread' ? 'maybe' : meant
}
