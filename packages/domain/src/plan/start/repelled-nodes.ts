import { matchLabels, type Repulsion } from '../../cluster/neighbors.ts'
import type { AskedPods } from './asked-job.ts'
import type { OpenFleet, OpenNode } from './open-fleet.ts'

/** Which pod keeps some pods off a node, and whether that is sure. */
export type Repelled = { readonly pod: string; readonly sure: boolean }

const HOSTNAME = 'kubernetes.io/hostname'

/** Which nodes pods that run already close to such pods (plugin InterPodAffinity), in the order of the fleet's nodes. */
export function repelledNodes(
  { snapshot, nodes, labelKeys }: OpenFleet,
  { labels }: Pick<AskedPods, 'labels'>,
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

function isAbout(
  { namespaces, selector }: Repulsion,
  labels: AskedPods['labels'],
  namespace: string,
): 'yes' | 'no' | 'maybe' {
  if (namespaces !== 'all' && namespaces !== 'unread' && !namespaces.includes(namespace)) return 'no'
  const meant = matchLabels(selector, labels)
  return meant === 'yes' && namespaces === 'unread' ? 'maybe' : meant
}
