import { agree, plural } from '../../words.ts'
import { stateOf, type RunState } from '../action-run.ts'
import { classOf } from '../policy/act-policy.ts'
import { nodesAtOnce, rolloutOf } from '../policy/rollout.ts'
import { wasAutomatic } from '../policy/run-times.ts'
import { type ActRule, refusing } from './act-context.ts'
import { CLASS_NAMES } from './words.ts'

/** On auto a class begins with one node at once, and spreads while its changes are kept. */
export const spreadsStepByStep: ActRule = ({ approval, kind, history, policy, past, touched, snapshot }) => {
  if (approval?.kind !== 'septet') return undefined
  const { stage, kept } = rolloutOf(kind, history, policy)
  const open = past.filter(({ run }) => classOf(run) === kind && wasAutomatic(run) && OPEN.has(stateOf(run).state))
  const nodes = new Set([...touched.nodes, ...open.flatMap((each) => each.touched.nodes)])
  const most = nodesAtOnce(stage, snapshot.nodes.length)
  const missing = Math.max(1, policy.auto.keptToAdvance - kept)
  return refusing(
    'rollout-stage',
    nodes.size <= most
      ? undefined
      : `${CLASS_NAMES[kind]} may touch ${plural(most, 'node')} at once for now, and this would make it ${nodes.size}. It spreads once ${missing} more ${agree(missing, 'change was', 'changes were')} kept; approve it yourself to go ahead.`,
  )
}

/** States in which it is not known yet whether a change lasts. */
const OPEN: ReadonlySet<RunState> = new Set(['checked', 'rehearsed', 'applying', 'applied', 'verified', 'reverting'])
