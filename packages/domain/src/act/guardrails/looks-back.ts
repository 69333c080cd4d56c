import { DAY_MS, instant } from '../../units.ts'
import { stateOf } from '../action-run.ts'
import { classOf } from '../policy/act-policy.ts'
import { policyTurns } from '../policy/changed-objects.ts'
import { isRunStuck, isUnderWay } from '../policy/run-times.ts'
import { WHERE_POLICIES_ARE } from '../policy/where-policies-are.ts'
import type { ActContext, ActRule, PastRun } from './act-context.ts'
import { CLASS_NAMES, nameOf, timeWords } from './words.ts'

/** Where a change failed half-way nobody knows how things are, until a person has put them right. */
export const waitsAfterFailures: ActRule = ({ past, touched, policy }) => {
  const own = new Set([...touched.nodes, ...touched.workloads])
  for (const { run, touched: theirs } of past) {
    const { at, because } = stateOf(run)
    const kind = classOf(run)
    if (!isRunStuck(run) || (policy.auto.resumedAt[kind] ?? 0) >= at) continue
    const both = [...theirs.nodes, ...theirs.workloads].find((name) => own.has(name))
    if (both !== undefined) {
      return `An earlier change of ${both} failed partway: ${because} Undo it, or fix it by hand, then resume "${CLASS_NAMES[kind]}" in ${WHERE_POLICIES_ARE}.`
    }
  }
  return undefined
}

/** No other change is under way, or still to be verified, on a node or a workload that this one touches. */
export const changesOneThingAtATime: ActRule = ({ past, touched }) => {
  const own = new Set([...touched.nodes, ...touched.workloads])
  for (const { run, touched: theirs } of past) {
    const both = isUnderWay(run) ? [...theirs.nodes, ...theirs.workloads].find((name) => own.has(name)) : undefined
    if (both !== undefined) {
      return `Another change of ${both} is under way: ${run.title}. Wait until it is verified.`
    }
  }
  return undefined
}

/** What was changed or moved is left alone for a while. */
export const letsObjectsCoolDown: ActRule = ({ past, changed, policy, now }) => {
  for (const { at, changed: before } of past) {
    const until = instant(at + policy.coolDown * 1000)
    const again = [...changed].find((object) => before.has(object))
    if (again !== undefined && until > now) {
      return `${nameOf(again)} was changed on ${timeWords(at)} and is left alone until ${timeWords(until)}. Wait until then.`
    }
  }
  return undefined
}

const DAYS = 7
const MOST = 2

/** What was changed and changed back twice within a week is left to a person: something else wants it as it was. */
export const avoidsFlapping: ActRule = (context) => {
  const flapping = [...context.changed].find((object) => timesBack(object, context) >= MOST)
  return flapping === undefined
    ? undefined
    : `${nameOf(flapping)} was changed and changed back ${MOST} times within ${DAYS} days. Find out who wants it as it was, or keep it with septet.io/keep.`
}

/** How often an object became again what it was: by a run that was taken back, or by the next one that turned it back. */
function timesBack(object: string, { past, now }: ActContext): number {
  const recent = past
    .filter(({ at, changed }) => at > now - DAYS * DAY_MS && changed.has(object))
    .toSorted((a, b) => a.at - b.at)
  const lasting = recent.filter((each) => !isTakenBack(each))
  const turns = lasting.flatMap(({ run }) => policyTurns(run).filter((turn) => turn.object === object))
  const backAgain = turns.filter(({ to }, index) => index > 0 && turns[index - 1]?.from === to)
  return recent.length - lasting.length + backAgain.length
}

const isTakenBack = ({ run }: PastRun): boolean => stateOf(run).state === 'reverted'
