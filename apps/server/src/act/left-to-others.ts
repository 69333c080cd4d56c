import {
  setByOthers,
  stoppedByUndo,
  type Action,
  type ActionRun,
  type ClusterSnapshot,
  type RecordedWrite,
  type Transition,
} from '@septet/domain'
import { firstFew, listed, nameOfWorkload, plural } from '@septet/domain/words'

/** Looked at before the first step is taken back: then nobody was evicted for it, and no node closed. */
export function leftToOthers(
  run: ActionRun,
  snapshot: ClusterSnapshot,
): Pick<Transition, 'state' | 'because'> | undefined {
  if (run.transitions.at(-2)?.state === 'reverting') return undefined
  const set = setByOthers(run, snapshot)
  return set === undefined
    ? undefined
    : {
        state: 'failed',
        because: `Nothing was reverted. ${set}, and Septet does not overwrite that: set the layout you want by hand.`,
      }
}

export function keptWords(run: ActionRun, snapshot: ClusterSnapshot | undefined): string {
  const set = snapshot === undefined ? undefined : setByOthers(run, snapshot)
  return set === undefined
    ? 'Nothing got worse while it was monitored.'
    : `Nothing got worse while it was monitored. ${set}; it stays that way, and Septet no longer offers to undo this change.`
}

/** What is not as it was: what somebody else had set by then, and pods that the undo has stopped. */
export function revertedWords({ plan }: ActionRun, writes: readonly RecordedWrite[]): string {
  // Of one whose answer was lost it was seen that it is there.
  const changes = writes.filter(
    ({ key, outcome, isRehearsal }) => CHANGES.has(key) && outcome?.kind !== 'refused' && isRehearsal !== true,
  )
  const isWritten = (number: number, isUndo: boolean): boolean =>
    changes.some((write) => write.step === number && write.isUndo === isUndo)
  const changed = plan.steps.filter(({ number }) => isWritten(number, false))
  const theirs = changed.filter(({ number }) => !isWritten(number, true))
  const set = theirs.flatMap(({ action }) => ('workload' in action ? [nameOfWorkload(action.workload)] : []))
  const left = theirs.flatMap(({ action }) => (action.kind === 'repartition' ? [action.node] : []))
  const names = changed.flatMap((step) => (theirs.includes(step) ? [] : step.inverse.flatMap(labelWords)))
  const stopped = stoppedByUndo(writes)
  return [
    ...(set.length > 0 && set.length === changed.length ? [] : [backWords({ left, names, stopped })]),
    ...(set.length === 0 ? [] : [`Someone changed ${firstFew(set, 5)} since, and Septet leaves that as they set it.`]),
    ...(stopped.length === 0
      ? []
      : [
          `Reverting it stopped ${plural(stopped.length, 'pod')}: ${firstFew(stopped, 5)}. Check that the work runs again.`,
        ]),
  ].join(' ')
}

type Back = Readonly<Record<'left' | 'names' | 'stopped', readonly string[]>>

function backWords({ left, names, stopped }: Back): string {
  if (left.length > 0) {
    return `Everything is as it was before, except the layout of ${left.join(', ')}: someone set nvidia.com/mig.config there meanwhile, and Septet does not overwrite that.`
  }
  const except = names.length === 0 ? '' : `, except that ${listed(names)}`
  return `The cluster is ${stopped.length === 0 ? '' : 'configured '}as it was before${except}.`
}

/** Writes that make the change of a step, and take it back. */
const CHANGES: ReadonlySet<string> = new Set(['label', 'scale', 'resize'])

/** The layout has the name that the way back gave it. */
const labelWords = (action: Action): readonly string[] =>
  action.kind === 'repartition'
    ? [`nvidia.com/mig.config of ${action.node} names the same layout ${action.config}`]
    : []
