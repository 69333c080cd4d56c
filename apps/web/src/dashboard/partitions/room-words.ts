import { agree, plural } from '@septet/domain/words'
import type { Answer } from '../../api.ts'

type Room = Answer<'partitionsRoom'>

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
