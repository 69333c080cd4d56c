import type { OPERATIONS, OutputOf } from '@septet/contract'
import { agree, listed, plural } from '@septet/domain/words'

import { table, type Reply, type Slots } from '../family.ts'
import { now, path, quoted } from '../phrases.ts'
import type { Cited, Reading } from '../reading.ts'
import { bars } from './bars.ts'

type List = OutputOf<typeof OPERATIONS.partitionsList>

/** What no workload holds: whole GPUs, and parts of GPUs. */
type Free = {
  readonly whole: number
  /** Instances by profile, most first. */
  readonly mig: ReadonlyMap<string, number>
  readonly instances: number
  readonly replicas: number
  /** Memory slices that no instance is made of, on GPUs in MIG mode of which the profiles are not known. */
  readonly uncounted: number
}

/** What is free of a model, on GPUs that can be used. */
export function freeOf({ nodes }: List, model: string | undefined): Free {
  const blocks = nodes
    .filter(({ ready }) => ready)
    .flatMap(({ gpus }) => gpus)
    .filter((gpu) => gpu.fault === null && (model === undefined || gpu.model === model))
    .flatMap(({ mode, blocks: some }) => some.map((block) => ({ ...block, mode })))
    .filter(({ kind }) => kind === 'free')
  const of = (mode: 'whole' | 'mig' | 'shared') => blocks.filter((block) => block.mode === mode)
  const profiles = of('mig').flatMap(({ profile }) => profile ?? [])
  const mig = [...Map.groupBy(profiles, (profile) => profile)].map(([profile, all]) => [profile, all.length] as const)
  return {
    whole: of('whole').length,
    mig: new Map(mig.toSorted(([a], [b]) => b.localeCompare(a))),
    instances: profiles.length,
    replicas: of('shared').length,
    uncounted: of('mig').reduce((sum, { profile, size }) => sum + (profile === null ? size : 0), 0),
  }
}

/** "0 whole H100s are free. 15 MIG instances are: 4 × 2g.20gb, 11 × 1g.10gb." */
export function freeWords({ whole, mig, instances, replicas, uncounted }: Free, called: string): string {
  const gpus = plural(whole, `whole ${called}`)
  const cut = [...mig].map(([profile, count]) => `${count} × ${profile}`).join(', ')
  const parts = [
    ...(instances > 0 ? [`${plural(instances, 'MIG instance')} ${agree(instances, 'is', 'are')}: ${cut}`] : []),
    ...(uncounted > 0 ? [`${plural(uncounted, 'MIG partition')} ${agree(uncounted, 'is', 'are')}`] : []),
    ...(replicas > 0 ? [`${plural(replicas, 'shared replica')} ${agree(replicas, 'is', 'are')}`] : []),
  ]
  return `${gpus} ${agree(whole, 'is', 'are')} free. ${parts.length === 0 ? 'No MIG instance is' : parts.join('. ')}.`
}

/** "H100" of "H100-80GB-HBM3" where the cluster has only one such board, so that it can be told from no other. */
export function modelCalled(model: string | undefined, { facets }: Pick<List, 'facets'>): string {
  if (model === undefined) return 'GPU'
  const [board = model] = model.split('-')
  const isOnly = facets.models.filter(({ name }) => name.split('-')[0] === board).length <= 1
  return isOnly ? board : `${model} GPU`
}

/** Up to three by name. */
const places = ({ nodes, total }: List): string =>
  total === 0
    ? ''
    : ` They are on ${total > 3 ? plural(total, 'node') : listed(nodes.map(({ node }) => quoted(node)))}.`

/** Nodes with something free; nothing is known of them before the cluster was read. */
export const readFree = ({ model, pool, node }: Slots, reading: Reading) =>
  reading.from(
    'partitionsList',
    { mig: 'false', state: 'free', model, pool, node, limit: 2000 },
    path('/partitions', { state: 'free', model, pool, node }),
  )

export const isUnread = ({ is }: Cited<'partitionsList'>): boolean => is.asOf === null && is.facets.models.length === 0

export async function freePartitions(slots: Slots, reading: Reading): Promise<Reply> {
  const list = await readFree(slots, reading)
  const { is, cite } = list
  const more = {
    pages: [['See the partitions', '/partitions']],
    further: ['How fragmented is MIG?', 'What waits and why?'],
  } as const
  if (isUnread(list))
    return { said: [['What is free is unknown: the cluster has not been read yet.', cite]], unknown: true, ...more }
  return {
    said: [[`${now(is.asOf)}, ${freeWords(freeOf(is, slots.model), modelCalled(slots.model, is))}${places(is)}`, cite]],
    blocks: [
      table(
        'Free partitions',
        ['Node', 'Model', '#Free', '#All'],
        is.nodes.slice(0, 20).map((each) => ({
          cells: [each.node, each.model, String(each.available), String(each.total)],
          page: reading.page(path('/partitions', { node: each.node })),
        })),
        is.total,
      ),
      bars('Where they are', is.nodes),
    ],
    ...more,
  }
}
