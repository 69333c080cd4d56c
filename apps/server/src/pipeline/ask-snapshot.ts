import { checkStart, planFleet, type ClusterSnapshot } from '@septet/domain'

import type { PlanAsked, StartQuestion } from '../facts.ts'

/** What a snapshot answers; undefined where there is none yet. */
export const planOf = (snapshot: ClusterSnapshot | undefined, question: PlanAsked) =>
  snapshot === undefined ? undefined : planFleet({ ...question, snapshot })

export const startsOf = (snapshot: ClusterSnapshot | undefined, { jobs, namespaces }: StartQuestion) =>
  snapshot === undefined ? undefined : checkStart(snapshot, jobs, { namespaces })
