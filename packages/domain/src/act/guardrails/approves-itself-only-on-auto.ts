import { modeOf } from '../policy/act-policy.ts'
import { type ActRule, refusing } from './act-context.ts'
import { CLASS_NAMES } from './words.ts'

/** Septet approves a change itself only where its class is on auto, and only what it proposed itself. */
export const approvesItselfOnlyOnAuto: ActRule = ({ policy, kind, approval, run }) => {
  if (approval?.kind !== 'septet') return undefined
  if (modeOf(policy, kind) !== 'auto') {
    return refusing(
      'not-automatic',
      `${CLASS_NAMES[kind]} is not on auto on this cluster, so Septet may not approve it itself. A person has to approve it.`,
    )
  }
  return refusing(
    'not-automatic',
    run.proposer === 'septet'
      ? undefined
      : `${run.proposedBy} proposed this, and Septet approves only what it proposed itself. A person has to approve it.`,
  )
}
