import { setImmediate as nextTurn } from 'node:timers/promises'

import { ALERT_KINDS, evaluateAlerts, observe, theLast, type Alert, type AlertKind } from '@septet/domain'
import type { AlertEvidence, AlertQuestion } from '@septet/domain'

import type { ClusterFacts } from '../facts.ts'

type Known = Omit<ClusterFacts, 'acting' | 'judge' | 'outlook' | 'health'>

/** On a large fleet every GPU is looked at, so this is for the thread that has the cluster. */
export const judging = <F extends Known>(facts: F): F & Pick<ClusterFacts, 'judge'> => ({
  ...facts,
  judge: (question) => judgeAlerts(facts, question),
})

async function judgeAlerts(facts: Known, question: AlertQuestion): Promise<readonly Alert[]> {
  const [day, week] = await Promise.all([facts.analysis(theLast('24h')), facts.analysis(theLast('7d'))])
  return judged({
    ...asFarAsRead(facts, question),
    picture: facts.picture(),
    samples: facts.samples(),
    targets: facts.targets(),
    idle: facts.idle(),
    day: day?.analysis,
    week: week?.analysis,
  })
}

/** The alerts that have changed where only this much is known: whether the cluster is read at all, and what budgets have come to. */
export const judgeUnread = (facts: Known, question: AlertQuestion): Promise<readonly Alert[]> =>
  judged(asFarAsRead(facts, question))

type Judged = AlertEvidence & Pick<AlertQuestion, 'current'>

const asFarAsRead = (facts: Known, question: AlertQuestion): Judged => ({
  ...question,
  cluster: facts.record.id,
  connected: facts.connection().kind === 'connected',
  asOf: facts.asOf(),
  problems: facts.problems(),
  picture: undefined,
  samples: new Map(),
  targets: [],
  idle: new Set(),
  day: undefined,
  week: undefined,
})

/** Each kind in a turn of its own: whoever does other work in this thread waits for one of them at most. */
async function judged({ current, ...evidence }: Judged): Promise<readonly Alert[]> {
  const observed: Partial<Record<AlertKind, ReturnType<typeof observe>>> = {}
  for (const kind of ALERT_KINDS) {
    observed[kind] = observe(evidence, kind)
    await nextTurn()
  }
  const { cluster, now, rules } = evidence
  return evaluateAlerts({ cluster, now, rules, observed, current })
}
