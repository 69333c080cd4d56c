import { compareText } from '../../units.ts'
import { capitalized, plural } from '../../words.ts'
import type { AskedJob } from './asked-job.ts'
import type { Judged } from './judge-job.ts'
import type { Seating } from './seat-groups.ts'
import type { Barrier } from './open-fleet.ts'

/** What keeps a job from starting, in sentences; of nodes what is missing where the pods may run comes first. */
export function whyNotNow(job: AskedJob, { limits, lacking }: Judged): readonly string[] {
  return [
    ...(job.suspended ? [SUSPENDED] : []),
    ...limitsOfNamespace(limits),
    ...limits.ofQueue.map(asSentence),
    ...lacking.flatMap((seating) => whyLacking(seating, job.groups.length > 1)),
  ]
}

export const SUSPENDED = 'It is suspended: nothing starts it until suspend is set to false.'

/** What the ResourceQuotas of its own namespace say. */
export const limitsOfNamespace = ({ ofNamespace }: Judged['limits']): readonly string[] => ofNamespace.map(asSentence)

const asSentence = (words: string): string => `${capitalized(words)}.`

function whyLacking({ pods, most, slots }: Seating, isOneOfMany: boolean): readonly string[] {
  const whose = isOneOfMany && pods.part !== '' ? ` of ${pods.part}` : ''
  const head =
    most > 0
      ? `Room is free for ${most} of ${plural(pods.count, 'pod')}${whose}.`
      : `No node has room for ${pods.count === 1 ? 'this pod' : `any of ${pods.count} pods`}${whose}.`
  const barred = slots.flatMap(({ because }) => because ?? [])
  const tallies = [...Map.groupBy(barred, ({ kind, words }) => `${kind} ${words}`).values()]
    .map((same) => ({ barrier: same[0], nodes: same.length }))
    .toSorted(
      (a, b) =>
        orderOf(a.barrier) - orderOf(b.barrier) ||
        b.nodes - a.nodes ||
        compareText(a.barrier?.words ?? '', b.barrier?.words ?? ''),
    )
  const told = tallies
    .slice(0, MOST_TOLD)
    .map(({ barrier, nodes }) => `${plural(nodes, 'node')}: ${barrier?.words ?? ''}.`)
  const open = slots.filter(({ count }) => count > 0).length
  const held =
    open > 0 && most < pods.count && pods.spread.length > 0
      ? ['Its spread or anti-affinity rule allows no more on the nodes that have room.']
      : []
  return [head, ...held, ...told]
}

const MOST_TOLD = 6

const ORDER = ['device', 'cpu', 'memory', 'taint', 'rules', 'repelled', 'closed'] as const
const orderOf = (barrier: Barrier | undefined): number =>
  barrier === undefined ? ORDER.length : ORDER.indexOf(barrier.kind)
