import { CLASSES } from '../../plan/words/action-class.ts'
import { agree, plural } from '../../words.ts'
import { stateOf, type RunState } from '../action-run.ts'
import { classOf } from '../policy/act-policy.ts'
import { nodesAtOnce, rolloutOf } from '../policy/rollout.ts'
import { wasAutomatic } from '../policy/run-times.ts'
import { WHERE_POLICIES_ARE } from '../policy/where-policies-are.ts'
import type { ActRule } from './act-context.ts'
import { timeWords } from './words.ts'

/** On auto a class stops at the first change that did not last, until a person lets it go on. */
export const stopsRolloutAtSetbacks: ActRule = ({ approval, kind, history, policy }) => {
  const { halted } = rolloutOf(kind, history, policy)
  return halted === undefined || approval?.kind !== 'septet'
    ? undefined
    : `${CLASSES[kind].doing} is halted on this cluster since ${timeWords(halted.at)}, because one change did not hold: ${halted.because} Review it, then resume it in ${WHERE_POLICIES_ARE}.`
}

/** On auto a class begins with one node at once, and spreads while its changes are kept. */
export const spreadsStepByStep: ActRule = ({ approval, kind, history, policy, past, touched, snapshot }) => {
  if (approval?.kind !== 'septet') return undefined
  const { stage, kept } = rolloutOf(kind, history, policy)
  const open = past.filter(({ run }) => classOf(run) === kind && wasAutomatic(run) && OPEN.has(stateOf(run).state))
  const nodes = new Set([...touched.nodes, ...open.flatMap((each) => each.touched.nodes)])
  const most = nodesAtOnce(stage, snapshot.nodes.length)
  const missing = Math.max(1, policy.auto.keptToAdvance - kept)
  return nodes.size <= most
    ? undefined
    : `${CLASSES[kind].doing} may touch ${plural(most, 'node')} at once for now, and this would make it ${nodes.size}. It spreads once ${missing} more ${agree(missing, 'change was', 'changes were')} kept; approve it yourself to go ahead.`
}

/** States in which it is not known yet whether a change lasts. */
const OPEN: ReadonlySet<RunState> = new Set(['checked', 'rehearsed', 'applying', 'applied', 'verified', 'reverting'])
