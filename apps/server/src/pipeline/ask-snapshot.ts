import { setImmediate as hearing } from 'node:timers/promises'

import { checkStart, planning, type ClusterSnapshot, type FleetPlan } from '@septet/domain'

import type { PlanAsked, StartQuestion, Waiting } from '../facts.ts'

/** What a snapshot answers, in parts between other work; undefined where there is none yet. Rejects once nobody waits. */
export async function planOf(
  snapshot: ClusterSnapshot | undefined,
  question: PlanAsked,
  { signal, progress }: Waiting = {},
): Promise<FleetPlan | undefined> {
  if (snapshot === undefined) return undefined
  const search = planning({ ...question, snapshot })
  for (let part = search.next(); ; part = search.next()) {
    if (part.done === true) return part.value
    progress?.(part.value)
    await hearing()
    signal?.throwIfAborted()
  }
}

export const startsOf = (snapshot: ClusterSnapshot | undefined, { jobs, namespaces }: StartQuestion) =>
  snapshot === undefined ? undefined : checkStart(snapshot, jobs, { namespaces })
