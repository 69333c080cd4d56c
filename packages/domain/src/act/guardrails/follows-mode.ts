import { modeOf } from '../policy/act-policy.ts'
import { type ActRule, refusing } from './act-context.ts'
import { CLASS_NAMES } from './words.ts'
import { WHERE_POLICIES_ARE } from '../policy/where-policies-are.ts'

/** A class of change is made only where a person let Septet make it. */
export const followsMode: ActRule = ({ policy, kind }) => {
  const mode = modeOf(policy, kind)
  if (mode === 'approve' || mode === 'auto') return undefined
  const only = mode === 'observe' ? 'observe-only' : 'suggest-only'
  return refusing(
    'mode',
    `${CLASS_NAMES[kind]} is ${only} on this cluster. An admin can set it to approve in ${WHERE_POLICIES_ARE}.`,
  )
}
