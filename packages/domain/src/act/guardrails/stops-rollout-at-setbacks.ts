import { rolloutOf } from '../policy/rollout.ts'
import { type ActRule, refusing } from './act-context.ts'
import { CLASS_NAMES, timeWords } from './words.ts'
import { WHERE_POLICIES_ARE } from '../policy/where-policies-are.ts'

/** On auto a class stops at the first change that did not last, until a person lets it go on. */
export const stopsRolloutAtSetbacks: ActRule = ({ approval, kind, history, policy }) => {
  const { halted } = rolloutOf(kind, history, policy)
  return refusing(
    'rollout-halted',
    halted === undefined || approval?.kind !== 'septet'
      ? undefined
      : `${CLASS_NAMES[kind]} is halted on this cluster since ${timeWords(halted.at)}, because one change did not hold: ${halted.because} Review it, then resume it in ${WHERE_POLICIES_ARE}.`,
  )
}
