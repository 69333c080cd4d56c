import {
  setByOthers,
  stoppedByUndo,
  type ActionRun,
  type ClusterSnapshot,
  type RecordedWrite,
  type Transition,
} from '@septet/domain'
import { firstFew, plural } from '@septet/domain/words'

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

/** What is not as it was: nodes whose layout somebody else had set by then, and pods that the undo has stopped. */
export function revertedWords({ plan }: ActionRun, writes: readonly RecordedWrite[]): string {
  const labels = writes.filter(({ key, outcome }) => key === 'label' && outcome?.kind === 'done')
  const left = plan.steps.flatMap(({ number, action }) => {
    const own = labels.filter(({ step }) => step === number)
    return action.kind === 'repartition' && own.length > 0 && !own.some(({ isUndo }) => isUndo) ? [action.node] : []
  })
  const stopped = stoppedByUndo(writes)
  const again =
    stopped.length === 0
      ? undefined
      : `Reverting it stopped ${plural(stopped.length, 'pod')}: ${firstFew(stopped, 5)}. Check that the work runs again.`
  const back =
    left.length === 0
      ? `The cluster is ${again === undefined ? '' : 'configured '}as it was before.`
      : `Everything is as it was before, except the layout of ${left.join(', ')}: someone set nvidia.com/mig.config there meanwhile, and Septet does not overwrite that.`
  return again === undefined ? back : `${back} ${again}`
}
