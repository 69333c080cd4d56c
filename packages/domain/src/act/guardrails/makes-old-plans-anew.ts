import { duration } from '../../words.ts'
import { firstDue } from '../policy/run-times.ts'
import { type ActRule, refusing } from './act-context.ts'

/** A plan older than this is made again, seconds: what it was concluded from lies too far back. */
const HOLDS = 7 * 86_400

/** A plan is carried out while the reading that it was made from still tells something. */
export const makesOldPlansAnew: ActRule = ({ run, now }) => {
  const age = (now - Math.max(run.plan.madeFrom, firstDue(run.plan) ?? 0)) / 1000
  return refusing(
    'plan-too-old',
    age <= HOLDS
      ? undefined
      : `The plan was made ${duration(age)} ago from cluster data that is now outdated. Propose it again.`,
  )
}
