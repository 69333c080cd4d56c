import { agree, listed, plural } from '@septet/domain/words'
import type { Ref } from 'react'

import { Badge } from '../../../ui/Badge.tsx'
import { NoticeBox } from '../../../ui/Notice.tsx'
import { ago, dayTime } from '../../../ui/time-words.ts'
import { useNow } from '../../../ui/use-now.ts'
import {
  type Acting,
  type ActionDetail,
  type ActionState,
  badgeOf,
  isRunning,
  untilWords,
} from '../../acting/action-words.ts'
import { PhaseBars } from './PhaseBars.tsx'

type Props = {
  readonly detail: ActionDetail
  readonly acting: Acting | undefined
  readonly ref: Ref<HTMLElement>
}

/** Where it stands, since when and why; and where it went wrong, how the cluster is and who has to do something. */
export function ActionStanding({ detail, acting, ref }: Props) {
  const { action, outlook } = detail
  const now = useNow()
  const until = untilWords(action, now)
  const left = clusterWords(detail)
  return (
    <section ref={ref} tabIndex={-1} aria-label="Status" className="grid gap-3 outline-none">
      <div aria-live="polite" className="grid gap-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Badge tone={badgeOf(action).tone}>{badgeOf(action).words}</Badge>
          {until !== undefined && <span className="text-12 font-medium text-idle-ink">{until}</span>}
        </p>
        <p className="text-13 wrap-anywhere">{action.because}</p>
        <p className="text-12 text-ink-quiet">
          Since <time dateTime={action.since}>{dayTime(action.since)}</time>, {ago(action.since, now)}
        </p>
      </div>
      <Shortfall action={action} />
      {outlook.waits !== null && <NoticeBox tone="quiet">Once approved, it waits. {outlook.waits}</NoticeBox>}
      <PhaseBars state={action.state} labels />
      {acting?.state === 'stopped' && isRunning(action) && (
        <NoticeBox tone="warning">Acting is stopped: this action is frozen until an admin resumes.</NoticeBox>
      )}
      {left !== undefined && (
        <NoticeBox tone={left.needsSomebody ? 'fault' : 'quiet'}>
          <p className={left.needsSomebody ? 'font-medium' : ''}>{left.state}</p>
          <p>{left.todo}</p>
          {left.byHand.length > 0 && (
            <ol className="mt-1.5 grid list-decimal gap-1 pl-5">
              {left.byHand.map((line, index) => (
                // The same sentence can stand twice, and the order is what counts.
                // oxlint-disable-next-line react/no-array-index-key -- the list is replaced as a whole
                <li key={index}>{line}</li>
              ))}
            </ol>
          )}
        </NoticeBox>
      )}
    </section>
  )
}

/** What an appointment lacks, unless that is what was said last. */
const Shortfall = ({ action: { shortfall, because } }: { readonly action: ActionDetail['action'] }) =>
  shortfall === null || shortfall === because ? undefined : <NoticeBox tone="fault">{shortfall}</NoticeBox>

/** How the cluster is now, who has to do something, and what reverts by hand what is left. */
type ClusterWords = {
  readonly state: string
  readonly todo: string
  readonly byHand: readonly string[]
  readonly needsSomebody: boolean
}

/** Undefined while all goes its way. */
export function clusterWords(detail: ActionDetail): ClusterWords | undefined {
  const { action, steps, transitions, writes } = detail
  if (action.state === 'failed') return failedWords(stillStanding(steps, transitions), writes)
  const words = action.state === 'reverted' ? revertedWords(detail) : CALM[action.state]
  return words === undefined ? undefined : calm(...words)
}

const calm = (state: string, todo: string): ClusterWords => ({ state, todo, byHand: [], needsSomebody: false })

const NOTHING = ['Nothing was changed.', 'Its recommendation can be proposed again while it applies.'] as const
const CALM: Partial<Record<ActionState, readonly [state: string, todo: string]>> = {
  reverting: [
    'The cluster is between its old and its new state.',
    'Completed steps are being reverted, last one first. No action is needed; any step that cannot be reverted is listed here.',
  ],
  rejected: NOTHING,
  expired: NOTHING,
  cancelled: NOTHING,
}

/** Who was evicted on the way back is not as before: pods without a controller are gone, the others need room. */
const revertedWords = ({ undo: { stopped } }: ActionDetail): readonly [state: string, todo: string] =>
  stopped.length === 0
    ? ['The cluster is as it was before this action.', 'No action is needed.']
    : [
        `The cluster is configured as it was before this action, but ${plural(stopped.length, 'pod was', 'pods were')} stopped.`,
        'Their controllers start them again where there is room: check that they run. A pod without a controller does not come back.',
      ]

type Steps = ActionDetail['steps']

/** Steps that were begun and not reverted: of a rollback that broke off, up to the step at which it did. */
function stillStanding(steps: Steps, transitions: ActionDetail['transitions']): Steps {
  const begun = steps.filter(({ state }) => state !== 'to-do' && state !== 'not-done')
  const stuck = transitions.findLast(({ state }) => state === 'reverting')?.step ?? steps.length
  return begun.filter(({ number }) => number <= stuck)
}

function failedWords(left: Steps, writes: ActionDetail['writes']): ClusterWords {
  if (writes.length === 0 || left.length === 0) {
    return calm('Nothing was changed.', 'Propose its recommendation again once the cause is fixed.')
  }
  const numbers = left.map(({ number }) => number)
  return {
    state: `The cluster is partly changed: ${agree(left.length, 'step')} ${listed(numbers)} ${agree(left.length, 'is', 'are')} still in place.`,
    todo: 'Septet does nothing more on its own, and cordoned nodes stay cordoned. Fix what blocked it and choose Undo, or revert it by hand in this order:',
    byHand: left.toReversed().flatMap(({ undo }) => undo),
    needsSomebody: true,
  }
}
