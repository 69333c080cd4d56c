import { setByOthers, type ActionRun, type ClusterSnapshot, type RecordedWrite, type Transition } from '@septet/domain'

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

/** A node that Septet had cut anew and did not cut back: somebody else had set it by then. */
export function revertedWords({ plan }: ActionRun, writes: readonly RecordedWrite[]): string {
  const labels = writes.filter(({ key, outcome }) => key === 'label' && outcome?.kind === 'done')
  const left = plan.steps.flatMap(({ number, action }) => {
    const own = labels.filter(({ step }) => step === number)
    return action.kind === 'repartition' && own.length > 0 && !own.some(({ isUndo }) => isUndo) ? [action.node] : []
  })
  return left.length === 0
    ? 'The cluster is as it was before.'
    : `Everything is as it was before, except the layout of ${left.join(', ')}: someone set nvidia.com/mig.config there meanwhile, and Septet does not overwrite that.`
}
