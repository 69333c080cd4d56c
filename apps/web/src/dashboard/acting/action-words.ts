import { stateWords } from '@septet/contract/state-words'
import { duration, plural } from '@septet/domain/words'

import type { Answer } from '../../api.ts'
import type { Tone } from '../../ui/Badge.tsx'

export type ActionList = Answer<'actionsList'>
export type ListedAction = ActionList['actions'][number]
export type ActionState = ListedAction['state']
export type Acting = ActionList['acting']
export type ActionDetail = Answer<'actionsGet'>

/** Whether it is the change that this recommendation asks for. */
export const isOf =
  (recommendation: string) =>
  ({ cause }: Pick<ListedAction, 'cause'>): boolean =>
    cause.kind === 'advice' && cause.recommendation === recommendation

/** The color that repeats where it stands. */
const TONES = {
  proposed: 'warning',
  approved: 'secondary',
  checked: 'secondary',
  rehearsed: 'secondary',
  'handed-over': 'warning',
  warned: 'warning',
  applying: 'warning',
  applied: 'secondary',
  verified: 'good',
  kept: 'good',
  reverting: 'warning',
  reverted: 'secondary',
  rejected: 'secondary',
  expired: 'secondary',
  cancelled: 'secondary',
  failed: 'secondary',
} satisfies Record<ActionState, Tone>

/** Where it stands, and the color that repeats it. A failure after which nothing is left to do is not an alarm. */
export const badgeOf = (
  action: Pick<ListedAction, 'state' | 'step' | 'halfChanged'>,
): { readonly words: string; readonly tone: Tone } => ({
  words: stateWords(action),
  tone: action.halfChanged ? 'destructive' : TONES[action.state],
})

const OVER: ReadonlySet<ActionState> = new Set(['kept', 'reverted', 'rejected', 'expired', 'cancelled', 'failed'])
export const isOver = ({ state }: Pick<ListedAction, 'state'>): boolean => OVER.has(state)
export const isRunning = (action: Pick<ListedAction, 'state'>): boolean =>
  action.state !== 'proposed' && !isOver(action)

/** When its state ends by itself, in words; undefined where it does not. */
export function untilWords({ state, until }: Pick<ListedAction, 'state' | 'until'>, now: number): string | undefined {
  if (until === null || OVER.has(state)) return undefined
  const seconds = (new Date(until).getTime() - now) / 1000
  const [before, after, late] = ENDS[state] ?? ENDS.approved
  return seconds <= 0 ? late : `${before} ${duration(seconds)}${after}`.trim()
}

type Ends = readonly [before: string, after: string, late: string]
const ENDS: Partial<Record<ActionState, Ends>> & { readonly approved: Ends } = {
  proposed: ['expires in', '', 'expires any moment'],
  approved: ['expires in', ' unless started', 'expires any moment'],
  'handed-over': ['expires in', ' unless someone applies it', 'expires any moment'],
  applying: ['next step in', '', 'next step any moment'],
  warned: ['starts in', ' unless its owner objects', 'starts any moment'],
  verified: ['kept in', '', 'kept any moment'],
}

/** "stops 2 pods · changes 1 node". */
export const reachWords = ({ displaced, nodes }: Pick<ListedAction, 'displaced' | 'nodes'>): string =>
  [
    displaced.length === 0 ? 'stops no pods' : `stops ${plural(displaced.length, 'pod')}`,
    ...(nodes.length === 0 ? [] : [`changes ${plural(nodes.length, 'node')}`]),
  ].join(' · ')

/** The first letters of a digest: enough to compare by eye. */
export const shortDigest = (digest: string): string =>
  `${digest.slice(0, 4)} ${digest.slice(4, 8)} ${digest.slice(8, 12)}`
