import type { ClusterFacts } from '../../facts.ts'

/**
 * Why a cluster is in no sum over clusters, by its id: its GPUs are counted with those of another one, or it is the demo
 * beside real ones, whose money is made up.
 */
export function leftOutOfSums(clusters: readonly ClusterFacts[]): ReadonlyMap<string, string> {
  const counted = new Map<string, string>()
  const leftOut = new Map<string, string>()
  for (const facts of realFirst(clusters)) {
    const { record } = facts
    const gpus = devicesOf(facts)
    const twin = twinOf(gpus, counted)
    if (twin !== undefined) leftOut.set(record.id, `Has the same GPUs as ${twin}, where they are counted.`)
    else if (record.kind === 'demo' && clusters.length > 1) leftOut.set(record.id, DEMO)
    else for (const gpu of gpus) counted.set(gpu, record.name)
  }
  return leftOut
}

const DEMO = 'Its GPUs and prices are made up, so they are not added to those of real clusters.'

const realFirst = (clusters: readonly ClusterFacts[]): readonly ClusterFacts[] =>
  clusters.toSorted((a, b) => Number(a.record.kind === 'demo') - Number(b.record.kind === 'demo'))

/** By UUID. What a label only counts has an id of its node and a number, which another cluster may have too. */
const devicesOf = (facts: ClusterFacts): readonly string[] =>
  (facts.picture()?.nodes ?? []).flatMap(({ gpus }) =>
    gpus.flatMap(({ id, identified }) => (identified === 'label' ? [] : [id])),
  )

/** The cluster that most of these GPUs are counted with. A node that moves from one cluster to another makes no twins. */
function twinOf(gpus: readonly string[], counted: ReadonlyMap<string, string>): string | undefined {
  const names = gpus.flatMap((gpu) => counted.get(gpu) ?? [])
  return names.length * 2 > gpus.length ? names[0] : undefined
}
