import type {
  FiguresOf,
  InputOf,
  OPERATIONS,
  partitionsEfficiency,
  partitionsList,
  partitionsRoom,
  Says,
} from '@septet/contract'
import { say } from '@septet/contract/says'
import { agree, capitalized, grouped, listed, plural } from '@septet/domain/words'

import { quoted } from './phrases.ts'

type List = FiguresOf<typeof partitionsList>

/** What is free on the nodes that were asked for; of nodes without MIG only where they were. */
export function partitionsSay(list: List, input: InputOf<typeof partitionsList>): Says {
  // Nothing is known before the cluster was read.
  if (list.asOf === null && list.facets.models.length === 0)
    return [say('What is free is unknown: the cluster has not been read yet.', 'facets.models[0]')]
  const { search, node, model, pool, offset } = input
  const isNarrowed = [search, node, model, pool].some((one) => one !== undefined && one !== '')
  const isPart = offset > 0 || list.nodes.length < list.total
  const of = isNarrowed ? 'on the nodes that match, ' : ''
  return [say(`${of}${freeWords(list, { isPart, isMig: input.mig === 'true' })}${placesWords(list, input)}`, 'nodes')]
}

/** "0 whole GPUs are free. 15 MIG instances are: 4 × 2g.20gb, 11 × 1g.10gb." Only on GPUs that can be used. */
function freeWords({ nodes }: List, { isPart, isMig }: { readonly isPart: boolean; readonly isMig: boolean }): string {
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
  const replicas = of('shared').length
  const least = isPart ? 'at least ' : ''
  const counted = (count: number, noun: string): string => `${least}${plural(count, noun)} ${agree(count, 'is', 'are')}`
  const parts = [
    ...(cut.length > 0 ? [`${counted(profiles.length, 'MIG instance')}: ${cut.join(', ')}`] : []),
    ...(uncounted > 0 ? [counted(uncounted, 'MIG partition')] : []),
    ...(replicas > 0 ? [counted(replicas, 'shared replica')] : []),
  ]
  const cutWords = parts.length > 0 ? parts.map(capitalized).join('. ') : isPart ? '' : 'No MIG instance is'
  if (isMig) return `free MIG instances: ${cut.length > 0 ? `${least}${cut.join(', ')}` : 'none'}.`
  return `${counted(of('whole').length, 'whole GPU')} free.${cutWords === '' ? '' : ` ${cutWords}.`}`
}

/** Up to three by name. */
const placesWords = ({ nodes, total }: List, { state }: InputOf<typeof partitionsList>): string =>
  total === 0 || state !== 'free'
    ? ''
    : ` They are on ${total > 3 ? plural(total, 'node') : listed(nodes.map(({ node }) => quoted(node)))}.`

type Room = FiguresOf<typeof partitionsRoom>

/** Whether all of them fit and on what terms; and why GPUs can never hold one. */
export const roomSays = (room: Room): Says => [
  say(roomVerdict(room), 'verdict'),
  say(
    `There is room for ${room.now} now, and for ${room.recut} more after repartitioning free capacity.`,
    'now',
    'recut',
  ),
  ...room.refusals.map(({ because, gpus }, order) => say(`${plural(gpus, 'GPU')}: ${because}`, `refusals[${order}]`)),
]

function roomVerdict({ verdict, now, recut, count, profile, blockedGpus }: Room): string {
  const wanted = count === 1 ? `one ${profile}` : `${grouped(count)} × ${profile}`
  const gap = count - now - recut
  const sentences = {
    now: `${wanted} fits now, with no changes.`,
    recut: `${wanted} fits after repartitioning free capacity${now === 0 ? '' : `: ${now} of them now, the rest after that`}. No pod is displaced.`,
    displacing: `${wanted} does not fit without moving workloads: there is room for ${now + recut}, and ${plural(gap, 'more needs', 'more need')} workloads to move. ${plural(blockedGpus, 'GPU')} could fit one then.`,
    never: `${wanted} does not fit: there is room for ${now + recut}, and no other GPU could ever fit one.`,
  } satisfies Record<Room['verdict'], string>
  return sentences[verdict]
}

/** How many compute slices no profile can use and why; and what of memory, which slice bars are drawn in. */
export function efficiencySays({ fleet, source }: FiguresOf<typeof partitionsEfficiency>): Says {
  const memory = fleet.strandedMemory
  const text =
    source.kind === 'sample'
      ? 'Sample data has no layouts. Choose a cluster to see which layouts strand slices.'
      : strandedText(fleet)
  return [
    say(text, 'fleet.structural', 'fleet.byPlacement'),
    ...(memory === null || memory.slices === 0 ? [] : [say(memoryText(memory), 'fleet.strandedMemory')]),
  ]
}

type Fleet = FiguresOf<typeof partitionsEfficiency>['fleet']

function strandedText({ structural, byPlacement, gpus }: Fleet): string {
  if (gpus === 0) return 'No GPU is partitioned, so no slice is stranded.'
  if (structural === null || byPlacement === null)
    return 'Stranded slices are counted over whole GPUs, which other namespaces share. Ask an admin for access to the whole cluster.'
  const all = structural + byPlacement
  return all === 0
    ? 'No compute slice is stranded: every free slice fits some profile.'
    : `${plural(all, 'compute slice')} of ${plural(gpus, 'GPU')} in MIG mode ${agree(all, 'is', 'are')} stranded: ${structural} by construction (only other profiles fix that) and ${byPlacement} by placement (moving the instances fixes that).`
}

const memoryText = ({ slices, gpus }: NonNullable<Fleet['strandedMemory']>): string =>
  `In memory, ${plural(slices, 'memory slice')} on ${plural(gpus, 'GPU')} ${agree(slices, 'is', 'are')} stranded and dotted on the bars and on the fleet map. Cost is by compute slice and does not include ${agree(slices, 'it', 'them')}.`

/** How many GPUs cannot be used. */
export const brokenSays = ({ gpus }: FiguresOf<typeof OPERATIONS.fleetBroken>): Says => [
  say(gpus.length === 0 ? 'No GPU is broken.' : `${plural(gpus.length, 'GPU')} cannot be used.`, 'gpus'),
]
