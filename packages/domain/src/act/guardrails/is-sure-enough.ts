import { wholePercent } from '../../words.ts'
import { type ActRule, refusing } from './act-context.ts'
import { WHERE_POLICIES_ARE } from '../policy/where-policies-are.ts'

/** The evidence is at least as sure as a person wants it. */
export const isSureEnough: ActRule = ({ run, policy: { minimum } }) => {
  const { confidence } = run.recommendation.risk
  return refusing(
    'not-sure-enough',
    confidence >= minimum.confidence
      ? undefined
      : `Confidence in its evidence is ${wholePercent(confidence)}; the minimum is ${wholePercent(minimum.confidence)}. Wait for more history, or lower the minimum in ${WHERE_POLICIES_ARE}.`,
  )
}
