import { stateOf } from '../action-run.ts'
import { policyTurns } from '../policy/changed-objects.ts'
import { type ActContext, type ActRule, type PastRun, refusing } from './act-context.ts'
import { nameOf } from './words.ts'

const DAYS = 7
const MOST = 2

/** What was changed and changed back twice within a week is left to a person: something else wants it as it was. */
export const avoidsFlapping: ActRule = (context) => {
  const flapping = [...context.changed].find((object) => timesBack(object, context) >= MOST)
  return refusing(
    'flapping',
    flapping === undefined
      ? undefined
      : `${nameOf(flapping)} was changed and changed back ${MOST} times within ${DAYS} days. Find out who wants it as it was, or keep it with septet.io/keep.`,
  )
}

/** How often an object became again what it was: by a run that was taken back, or by the next one that turned it back. */
function timesBack(object: string, { past, now }: ActContext): number {
  const recent = past
    .filter(({ at, changed }) => at > now - DAYS * 86_400_000 && changed.has(object))
    .toSorted((a, b) => a.at - b.at)
  const lasting = recent.filter((each) => !isTakenBack(each))
  const turns = lasting.flatMap(({ run }) => policyTurns(run).filter((turn) => turn.object === object))
  const backAgain = turns.filter(({ to }, index) => index > 0 && turns[index - 1]?.from === to)
  return recent.length - lasting.length + backAgain.length
}

const isTakenBack = ({ run }: PastRun): boolean => stateOf(run).state === 'reverted'
