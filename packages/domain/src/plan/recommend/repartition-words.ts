import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import type { Gpu, GpuNode } from '../../cluster/node.ts'
import type { GpuRequest } from '../../cluster/workload.ts'
import { geometryOf } from '../../gpu/layout.ts'
import { compareText } from '../../units.ts'
import { agree, listed, plural } from '../../words.ts'
import { geometryWords } from '../steps/step-words.ts'
import type { GpuTarget } from '../words/action.ts'

type Change = { readonly node: GpuNode; readonly gpu: Gpu; readonly target: GpuTarget }

/** So many kinds of change are told in a title; of more, how many GPUs they are of. */
const MOST_CHANGES = 3

/** "Repartition gpu-a: GPU 6 to 1 × 7g.80gb, GPUs 1 and 7 to 2 × 3g.40gb": which GPU gets what. */
export function repartitionTitle(changes: readonly Change[]): string {
  const sorted = changes.toSorted((a, b) => compareText(a.node.name, b.node.name) || a.gpu.index - b.gpu.index)
  const [first] = sorted
  const isOneNode = sorted.every(({ node }) => node.name === first?.node.name)
  const alike = [...Map.groupBy(sorted, (change) => `${isOneNode ? '' : change.node.name} ${becomes(change)}`).values()]
  const told = alike.slice(0, MOST_CHANGES).map((group) => {
    const [one] = group
    const on = isOneNode || one === undefined ? '' : ` on ${one.node.name}`
    const indexes = listed(group.map(({ gpu }) => gpu.index))
    return `${agree(group.length, 'GPU')} ${indexes}${on} to ${one === undefined ? '' : becomes(one)}`
  })
  const more = alike.slice(MOST_CHANGES).flat().length
  const list = `${told.join(', ')}${more === 0 ? '' : ` and ${plural(more, 'more GPU')}`}`
  return isOneNode ? `Repartition ${first?.node.name ?? ''}: ${list}` : `Repartition ${list}`
}

const becomes = ({ target }: Change): string =>
  geometryWords({ migEnabled: target.migEnabled, geometry: geometryOf(target.layout) })

/** What pods wait for that no node has free: "a slice", "slices", "a GPU", "slices and GPUs". */
export function missingWords(asks: readonly GpuRequest[]): string {
  const whole = asks.filter(({ resource }) => resource === WHOLE_GPU_RESOURCE)
  const slices = asks.filter(({ resource }) => resource !== WHOLE_GPU_RESOURCE)
  return listed([...some(slices, 'slice'), ...some(whole, 'GPU')])
}

function some(asks: readonly GpuRequest[], one: string): readonly string[] {
  const count = asks.reduce((sum, ask) => sum + ask.count, 0)
  return count === 0 ? [] : [count === 1 ? `a ${one}` : `${one}s`]
}
