import { agree, grouped, plural } from '@septet/domain/words'
import type { Answer } from '../../api.ts'

type Room = Answer<'partitionsRoom'>

/** Whether all of them fit and on what terms, in one or two sentences. */
export function roomVerdict({ verdict, now, recut, count, profile, blockedGpus }: Room): string {
  const wanted = count === 1 ? `One ${profile}` : `${grouped(count)} × ${profile}`
  const gap = count - now - recut
  const sentences = {
    now: `${wanted} fits now, with no changes.`,
    recut: `${wanted} fits after repartitioning free capacity${now === 0 ? '' : `: ${now} of them now, the rest after that`}. No pod is displaced.`,
    displacing: `${wanted} does not fit without moving workloads: there is room for ${now + recut}, and ${plural(gap, 'more needs', 'more need')} workloads to move. ${plural(blockedGpus, 'GPU')} could fit one then.`,
    never: `${wanted} does not fit: there is room for ${now + recut}, and no other GPU could ever fit one.`,
  } satisfies Record<Room['verdict'], string>
  return sentences[verdict]
}

/** What one GPU can give. */
export function placeWords({ now, starts, recut, replaces }: Room['places'][number]): string {
  const parts = [
    ...(now > 0 ? [`${now} now at memory ${agree(starts.length, 'slice')} ${starts.join(', ')}`] : []),
    ...(recut > 0
      ? [
          `${recut}${now > 0 ? ' more' : ''} after repartitioning${replaces > 0 ? `, which replaces ${plural(replaces, 'free instance')}` : ''}`,
        ]
      : []),
  ]
  return parts.join('; ')
}

/** Who must leave before one fits. */
export const roomBlockWords = ({ profile, start, holder }: Room['blocked'][number]['inTheWay'][number]): string =>
  `${profile === null ? 'the whole GPU' : `${profile} at ${start}`}, ${holder ?? 'a namespace you cannot see'}`
