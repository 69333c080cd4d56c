import { plural } from '@septet/domain/words'
import type { InputOf, OutputOf, searchFind } from '@septet/contract'
import { compareText, onceFor, type GpuNode } from '@septet/domain'

import type { ClusterFacts, ClusterPicture } from '../../facts.ts'
import { answeredFrom } from '../answering/source.ts'

type Search = OutputOf<typeof searchFind>
type Found = Search['found'][number]
type Wanted = Pick<InputOf<typeof searchFind>, 'query' | 'limit'>

/** What of a live cluster is called so. */
export function liveSearch(facts: ClusterFacts, wanted: Wanted): Search {
  const picture = facts.picture()
  return {
    ...answeredFrom(facts, undefined),
    ...best(picture === undefined ? [] : objectsOf(picture), wanted),
  }
}

/** Every letter that is typed asks again. */
const objectsOf = onceFor((picture: ClusterPicture): readonly Found[] => [
  ...picture.nodes.flatMap(placesOf),
  ...worksOf(picture.workloads),
])

const placesOf = onceFor((node: GpuNode): readonly Found[] => [
  {
    kind: 'node' as const,
    id: node.name,
    name: node.name,
    detail: `${node.gpus.length} × ${node.model ?? node.product}${node.pool === '' ? '' : `, pool ${node.pool}`}`,
  },
  ...node.gpus.map((gpu) => ({
    kind: 'gpu' as const,
    id: gpu.id,
    name: gpu.id,
    detail: `GPU ${gpu.index} of ${node.name}, ${gpu.model ?? node.product}`,
  })),
])

type Work = { readonly id: string; readonly namespace: string; readonly kind: string; readonly name: string }

/** Workloads, and the namespaces that they are in. */
export function worksOf(workloads: readonly Work[]): Found[] {
  const counts = new Map<string, number>()
  for (const { namespace } of workloads) counts.set(namespace, (counts.get(namespace) ?? 0) + 1)
  return [
    ...workloads.map(workOf),
    ...[...counts].map(([name, count]) => ({
      kind: 'namespace' as const,
      id: name,
      name,
      detail: plural(count, 'GPU workload'),
    })),
  ]
}

const workOf = onceFor(({ id, namespace, kind, name }: Work): Found => ({
  kind: 'workload',
  id,
  name,
  detail: `${kind} in ${namespace}`,
}))

/** The best matches of a query; ties go to shorter names, which are nearer to what was typed. */
export function best(objects: readonly Found[], { query, limit }: Wanted): Pick<Search, 'total' | 'found'> {
  const words = query
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '')
  // Alike by rank and kind, the best first: only those that are shown are sorted, as one word may match a whole fleet.
  const alike: Found[][] = Array.from({ length: RANKS * KINDS.length }, () => [])
  for (const one of loweredOf(objects)) {
    const rank = rankOf(one, words)
    if (rank !== undefined) alike[rank * KINDS.length + KINDS.indexOf(one.object.kind)]?.push(one.object)
  }
  const found: Found[] = []
  for (const group of alike) {
    if (found.length >= limit) break
    found.push(
      ...group
        .toSorted((a, b) => a.name.length - b.name.length || compareText(a.id, b.id))
        .slice(0, limit - found.length),
    )
  }
  return { total: alike.reduce((sum, group) => sum + group.length, 0), found }
}

const KINDS: readonly Found['kind'][] = ['namespace', 'node', 'workload', 'gpu']
const RANKS = 4

type Lowered = { readonly object: Found; readonly name: string; readonly id: string; readonly detail: string }

const lowered = onceFor((object: Found): Lowered => ({
  object,
  name: object.name.toLowerCase(),
  id: object.id.toLowerCase(),
  detail: object.detail.toLowerCase(),
}))
const loweredOf = onceFor((objects: readonly Found[]): readonly Lowered[] => objects.map(lowered))

/** Exact is 0, beginning with it 1, a part of the name 2, only the id or detail 3; undefined: not every word is in it. */
function rankOf({ id, name, detail }: Lowered, words: readonly string[]): number | undefined {
  const [first = ''] = words
  if (words.length === 1 && (name === first || id === first)) return 0
  if (words.length === 1 && name.startsWith(first)) return 1
  if (words.every((word) => name.includes(word))) return 2
  const isIn = (word: string): boolean => name.includes(word) || id.includes(word) || detail.includes(word)
  return words.every(isIn) ? 3 : undefined
}
