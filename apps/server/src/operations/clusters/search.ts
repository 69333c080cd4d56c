import { plural } from '@septet/domain/words'
import type { InputOf, OutputOf, searchFind } from '@septet/contract'
import { compareText } from '@septet/domain'

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

/** Objects of pictures that were listed already: every letter that is typed asks again. */
const listed = new WeakMap<ClusterPicture, readonly Found[]>()

function objectsOf(picture: ClusterPicture): readonly Found[] {
  const known = listed.get(picture)
  if (known !== undefined) return known
  const objects = [...placesOf(picture), ...worksOf(picture.workloads)]
  listed.set(picture, objects)
  return objects
}

const placesOf = ({ nodes }: ClusterPicture): Found[] =>
  nodes.flatMap((node) => [
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
    ...workloads.map(({ id, namespace, kind, name }) => ({
      kind: 'workload' as const,
      id,
      name,
      detail: `${kind} in ${namespace}`,
    })),
    ...[...counts].map(([name, count]) => ({
      kind: 'namespace' as const,
      id: name,
      name,
      detail: plural(count, 'GPU workload'),
    })),
  ]
}

/** The best matches of a query; ties go to shorter names, which are nearer to what was typed. */
export function best(objects: readonly Found[], { query, limit }: Wanted): Pick<Search, 'total' | 'found'> {
  const words = query
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '')
  const matches = objects.flatMap((object) => {
    const rank = rankOf(object, words)
    return rank === undefined ? [] : [{ object, rank }]
  })
  const sorted = matches.toSorted(
    (a, b) =>
      a.rank - b.rank ||
      KINDS.indexOf(a.object.kind) - KINDS.indexOf(b.object.kind) ||
      a.object.name.length - b.object.name.length ||
      compareText(a.object.id, b.object.id),
  )
  return { total: matches.length, found: sorted.slice(0, limit).map(({ object }) => object) }
}

const KINDS: readonly Found['kind'][] = ['namespace', 'node', 'workload', 'gpu']

/** Exact is 0, beginning with it 1, a part of the name 2, only the id or detail 3; undefined: not every word is in it. */
function rankOf({ id, name, detail }: Found, words: readonly string[]): number | undefined {
  const [low, first = ''] = [name.toLowerCase(), words[0]]
  if (words.length === 1 && (low === first || id.toLowerCase() === first)) return 0
  if (words.length === 1 && low.startsWith(first)) return 1
  if (words.every((word) => low.includes(word))) return 2
  const all = `${name} ${id} ${detail}`.toLowerCase()
  return words.every((word) => all.includes(word)) ? 3 : undefined
}
