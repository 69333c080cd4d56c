import { DAY_MS, instant } from '../../units.ts'
import { firstReason } from '../../plan/guardrail/guardrail.ts'
import { CLASSES } from '../../plan/words/action-class.ts'
import { stateOf, type ActionRun } from '../action-run.ts'
import { classOf } from '../policy/act-policy.ts'
import { policyTurns } from '../policy/changed-objects.ts'
import { isRunStuck, isUnderWay } from '../policy/run-times.ts'
import { WHERE_POLICIES_ARE } from '../policy/where-policies-are.ts'
import type { ActContext, ActRule, PastRun } from './act-context.ts'
import { nameOf, timeWords } from './words.ts'

/** Runs of the past on a node or a workload that this one touches, each with which. */
function onTheSame({ past, touched }: ActContext): ReadonlyArray<{ readonly run: ActionRun; readonly both: string }> {
  const own = new Set([...touched.nodes, ...touched.workloads])
  return past.flatMap(({ run, touched: theirs }) => {
    const both = [...theirs.nodes, ...theirs.workloads].find((name) => own.has(name))
    return both === undefined ? [] : { run, both }
  })
}

/** Where a change failed half-way nobody knows how things are, until a person has put them right. */
export const waitsAfterFailures: ActRule = (context) =>
  firstReason(onTheSame(context), ({ run, both }) => {
    const [{ at, because }, kind] = [stateOf(run), classOf(run)]
    return isRunStuck(run) && (context.policy.auto.resumedAt[kind] ?? 0) < at
      ? `An earlier change of ${both} failed partway: ${because} Undo it, or fix it by hand, then resume "${CLASSES[kind].doing}" in ${WHERE_POLICIES_ARE}.`
      : undefined
  })

/** No other change is under way, or still to be verified, on a node or a workload that this one touches. */
export const changesOneThingAtATime: ActRule = (context) =>
  firstReason(onTheSame(context), ({ run, both }) =>
    isUnderWay(run) ? `Another change of ${both} is under way: ${run.title}. Wait until it is verified.` : undefined,
  )

/** What was changed or moved is left alone for a while. */
export const letsObjectsCoolDown: ActRule = ({ past, changed, policy, now }) =>
  firstReason(past, ({ at, changed: before }) => {
    const until = instant(at + policy.coolDown * 1000)
    const again = [...changed].find((object) => before.has(object))
    return again !== undefined && until > now
      ? `${nameOf(again)} was changed on ${timeWords(at)} and is left alone until ${timeWords(until)}. Wait until then.`
      : undefined
  })

/** What came to nothing Septet does not try again by itself for as long: what failed, and what a person called off. */
export const leavesWhatCameToNothing: ActRule = ({ approval, run, history, policy, now }) => {
  if (approval?.kind !== 'septet') return undefined
  const others = history.filter(({ id, object }) => object === run.object && id !== run.id)
  const [last] = others.toSorted((a, b) => stateOf(b).at - stateOf(a).at)
  if (last === undefined) return undefined
  const { state, at, by, because } = stateOf(last)
  const until = instant(at + policy.coolDown * 1000)
  const isOff = state === 'failed' || (by !== 'septet' && (state === 'rejected' || state === 'cancelled'))
  return isOff && until > now
    ? `The last action on ${nameOf(run.object)} came to nothing on ${timeWords(at)}: ${because} Septet tries again after ${timeWords(until)}; approve it yourself to go ahead.`
    : undefined
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
