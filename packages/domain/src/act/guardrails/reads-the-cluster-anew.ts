import { duration } from '../../words.ts'
import { type ActRule, refusing } from './act-context.ts'

/** A reading older than this is not acted on, milliseconds. */
const FRESH_MS = 60_000

/** What is not seen now is not changed: the reading is new, and newer than the plan. */
export const readsTheClusterAnew: ActRule = ({ snapshot, run, now }) => {
  if (snapshot.takenAt < run.plan.madeFrom) {
    return refusing(
      'reading-too-old',
      'The plan was made from a newer reading of the cluster than the one at hand. Wait for the next reading.',
    )
  }
  const age = now - snapshot.takenAt
  return refusing(
    'reading-too-old',
    age <= FRESH_MS
      ? undefined
      : `The cluster was last read ${duration(age / 1000)} ago. Check its connection; acting resumes with the next reading.`,
  )
}
