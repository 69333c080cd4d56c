import type { OPERATIONS, OutputOf } from '@septet/contract'
import { agree, listed, plural } from '@septet/domain/words'

import { now, path, quoted } from './phrases.ts'
import { replyTable, type ReplyOf } from './reply.ts'

type List = OutputOf<typeof OPERATIONS.partitionsList>
type Room = OutputOf<typeof OPERATIONS.partitionsRoom>

const SHOWN = 20
const MOST_BARS = 12

/** GPUs that cannot be used. */
export const faultyGpus: ReplyOf = async (reading) => {
  const { is, cite } = await reading.from('fleetBroken', {}, '/fleet')
  return {
    said: [
      [
        is.gpus.length === 0
          ? `${now(is.asOf)}, no GPU is broken.`
          : `${now(is.asOf)}, ${plural(is.gpus.length, 'GPU')} cannot be used.`,
        cite,
      ],
    ],
    blocks: [
      replyTable(
        'Broken GPUs',
        ['Node', '#GPU', 'Model', 'What is wrong'],
        is.gpus.slice(0, SHOWN).map(({ id, node, index, model, problem }) => ({
          cells: [node, String(index), model, problem.message],
          page: reading.page(path('/fleet', { gpu: id })),
        })),
        is.gpus.length,
      ),
    ],
    pages: [['See the fleet', '/fleet']],
    further: ['wrong-now', 'idle-gpus'],
  }
}

/** Where something is free: whole GPUs, MIG instances, shared replicas. */
export const freePartition: ReplyOf = async (reading) => {
  const asked = { mig: 'false', state: 'free', limit: 2000 } as const
  const { is, cite } = await reading.from('partitionsList', asked, path('/partitions', { state: 'free' }))
  const more = {
    pages: [['See the partitions', '/partitions']],
    further: ['stranded-capacity', 'waits-and-why'],
  } as const
  // Nothing is known before the cluster was read.
  if (is.asOf === null && is.facets.models.length === 0)
    return { said: [['What is free is unknown: the cluster has not been read yet.', cite]], unknown: true, ...more }
  return {
    said: [[`${now(is.asOf)}, ${freeWords(is)}${places(is)}`, cite]],
    blocks: [
      replyTable(
        'Free partitions',
        ['Node', 'Model', '#Free', '#All'],
        is.nodes.slice(0, SHOWN).map((each) => ({
          cells: [each.node, each.model, String(each.available), String(each.total)],
          page: reading.page(path('/partitions', { node: each.node })),
        })),
        is.total,
      ),
      bars(
        'Where they are',
        is.nodes.flatMap(({ node, gpus }) => gpus.map((gpu) => ({ node, gpu }))),
      ),
    ],
    ...more,
  }
}

/** "0 whole GPUs are free. 15 MIG instances are: 4 × 2g.20gb, 11 × 1g.10gb." Only on GPUs that can be used. */
function freeWords({ nodes }: List): string {
  const free = nodes
    .filter(({ ready }) => ready)
    .flatMap(({ gpus }) => gpus)
    .filter(({ fault }) => fault === null)
    .flatMap(({ mode, blocks }) => blocks.map((block) => ({ ...block, mode })))
    .filter(({ kind }) => kind === 'free')
  const of = (mode: 'whole' | 'mig' | 'shared') => free.filter((block) => block.mode === mode)
  const profiles = of('mig').flatMap(({ profile }) => profile ?? [])
  const cut = [...Map.groupBy(profiles, (profile) => profile)]
    .toSorted(([a], [b]) => b.localeCompare(a))
    .map(([profile, all]) => `${all.length} × ${profile}`)
  // On GPUs in MIG mode of which the profiles are not known, memory slices are counted.
  const uncounted = of('mig').reduce((sum, { profile, size }) => sum + (profile === null ? size : 0), 0)
  const [whole, replicas] = [of('whole').length, of('shared').length]
  const parts = [
    ...(cut.length > 0 ? [`${counted(profiles.length, 'MIG instance')}: ${cut.join(', ')}`] : []),
    ...(uncounted > 0 ? [counted(uncounted, 'MIG partition')] : []),
    ...(replicas > 0 ? [counted(replicas, 'shared replica')] : []),
  ]
  return `${counted(whole, 'whole GPU')} free. ${parts.length === 0 ? 'No MIG instance is' : parts.join('. ')}.`
}

const counted = (count: number, noun: string): string => `${plural(count, noun)} ${agree(count, 'is', 'are')}`

/** Up to three by name. */
const places = ({ nodes, total }: List): string =>
  total === 0
    ? ''
    : ` They are on ${total > 3 ? plural(total, 'node') : listed(nodes.map(({ node }) => quoted(node)))}.`

/** The GPUs as slice bars, as many as help to read. */
const bars = (title: string, gpus: readonly { readonly node: string; readonly gpu: Room['places'][number]['gpu'] }[]) =>
  gpus.length === 0 ? undefined : { kind: 'slices' as const, title, gpus: gpus.slice(0, MOST_BARS) }

const VERDICTS: Readonly<Record<Room['verdict'], string>> = {
  now: 'fits now',
  recut: 'fits after free instances are repartitioned',
  displacing: 'fits only if running work moves',
  never: 'does not fit on any GPU',
}

/** Where a MIG profile fits. */
export const fits =
  (profile: string): ReplyOf =>
  async (reading) => {
    const at = path('/partitions', { view: 'room', profile })
    const { is, cite } = await reading.from('partitionsRoom', { profile, count: 1, limit: 24 }, at)
    return {
      said: [
        [
          `${now(is.asOf)}, ${is.profile} ${VERDICTS[is.verdict]}: ${is.now} more fit as GPUs are partitioned now, ${is.recut} more after repartitioning.`,
          cite,
        ],
        ...is.refusals.slice(0, 2).map(({ because, gpus }) => [`${plural(gpus, 'GPU')}: ${because}`, cite] as const),
      ],
      blocks: [
        replyTable(
          'Where it fits',
          ['Node', 'GPU', '#Now', '#After repartitioning'],
          is.places.map((place) => ({
            cells: [place.node, String(place.gpu.index), String(place.now), String(place.recut)],
            page: reading.page(path('/partitions', { node: place.node })),
          })),
        ),
        bars(
          'Where it fits',
          is.places.map(({ node, gpu }) => ({ node, gpu })),
        ),
      ],
      pages: [['See where it fits', at]],
      further: ['free-partition', 'stranded-capacity'],
    }
  }

/** Layouts that strand slices. */
export const strandedCapacity: ReplyOf = async (reading) => {
  const { is, cite } = await reading.from('partitionsEfficiency', {}, '/partitions?view=efficiency')
  const { structural, byPlacement, gpus } = is.fleet
  return {
    said: [
      structural === null || byPlacement === null
        ? ['Stranded slices belong to no namespace, so you can see them only if you can see the whole cluster.', cite]
        : [
            `${now(is.asOf)}, ${structural + byPlacement} compute slices of ${plural(gpus, 'GPU')} in MIG mode are stranded: ${structural} because of the profiles chosen, ${byPlacement} because of where instances sit.`,
            cite,
          ],
    ],
    blocks: [
      replyTable(
        'Layouts that strand slices',
        ['Model', 'Layout', '#GPUs', 'Why'],
        is.stranded.slice(0, 10).map(({ model, layout, gpus: count, because }) => ({
          cells: [model, layout.map(({ profile, start }) => `${profile}@${start}`).join(' '), String(count), because],
        })),
        is.stranded.length,
      ),
    ],
    pages: [['See the partitions', '/partitions']],
    further: ['free-partition', 'nodes-to-repartition'],
  }
}
