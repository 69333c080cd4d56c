import { setImmediate as hearing } from 'node:timers/promises'

import { checkStart, planning, type ClusterSnapshot, type Plan } from '@septet/domain'
import { madePlan, planFiles } from '@septet/plan-files'

import type { FoundPlan, PlanAsked, StartQuestion, Waiting } from '../facts.ts'

/** What a snapshot answers, in parts between other work; undefined where there is none yet. Rejects once nobody waits. */
export async function planOf(
  snapshot: ClusterSnapshot | undefined,
  { operatorNamespace, ...question }: PlanAsked,
  { signal, progress }: Waiting = {},
): Promise<FoundPlan | undefined> {
  if (snapshot === undefined) return undefined
  const search = planning({ ...question, snapshot })
  for (let part = search.next(); ; part = search.next()) {
    if (part.done === true) {
      const made = madePlan(part.value, { snapshot, prices: question.prices, operatorNamespace })
      return { made, gpus: part.value.gpus, appointment: part.value.appointment }
    }
    progress?.(part.value)
    await hearing()
    signal?.throwIfAborted()
  }
}

export const startsOf = (snapshot: ClusterSnapshot | undefined, { jobs, namespaces }: StartQuestion) =>
  snapshot === undefined ? undefined : checkStart(snapshot, jobs, { namespaces })

export const filesOf = (snapshot: ClusterSnapshot | undefined, plan: Plan) =>
  snapshot === undefined ? undefined : planFiles({ plan, snapshot })
