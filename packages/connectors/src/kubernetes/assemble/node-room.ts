import { isKeptLabel, type NodeRoom, type PodScheduling } from '@septet/domain'
import { intern } from '../read/intern.ts'
import type { NodeFacts } from '../read/parse-node.ts'

/** What a node has beside GPUs, with those of its labels that may decide where a pod runs. */
export function roomOf(node: NodeFacts, selected: readonly string[]): NodeRoom {
  const known = rooms.get(node)
  if (known?.selected === selected) return known.room
  const { cpuMilli, memory, taints } = node
  const room = { cpuMilli, memory, labels: labelsOf(node, new Set(selected)), taints }
  rooms.set(node, { selected, room })
  return room
}

// Most nodes are as they were when the cluster is put together again after some change.
const rooms = new WeakMap<NodeFacts, { readonly selected: readonly string[]; readonly room: NodeRoom }>()

function labelsOf({ labels, name }: NodeFacts, selected: ReadonlySet<string>): NodeRoom['labels'] {
  const kept = Object.entries(labels).filter(([key]) => selected.has(key) || isKeptLabel(key))
  // Affinity may name the node by this field; it is no label, but is asked for like one.
  const byName = selected.has(NAME_FIELD) ? { [NAME_FIELD]: name } : {}
  return intern({ ...Object.fromEntries(kept), ...byName })
}

/** Keys of labels that some pod selects nodes by, and more, in order; the same list as before where they are the same. */
export function selectedLabels(
  pods: Iterable<{ readonly scheduling: PodScheduling }>,
  more: readonly string[] = [],
): readonly string[] {
  const keys = new Set<string>(more)
  const seen = new Set<object>()
  for (const { scheduling } of pods) {
    const { nodeSelector, nodeTerms } = scheduling
    // Equal ones are the same object, so thousands of pods cost as much as a few.
    if (!seen.has(nodeSelector)) for (const key of Object.keys(nodeSelector)) keys.add(key)
    if (!seen.has(nodeTerms)) for (const { key } of nodeTerms.flat()) keys.add(key)
    seen.add(nodeSelector).add(nodeTerms)
  }
  return intern([...keys].toSorted())
}

const NAME_FIELD = 'metadata.name'
