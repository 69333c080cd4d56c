import { checkStart, draftPlan, type ClusterSnapshot, type DraftQuestion } from '@septet/domain'

import type { StartQuestion } from '../facts.ts'

/** What a snapshot answers; undefined where there is none yet. */
export const snapshotDraft = (snapshot: ClusterSnapshot | undefined, question: DraftQuestion) =>
  snapshot === undefined ? undefined : draftPlan(snapshot, question)

export const startsOf = (snapshot: ClusterSnapshot | undefined, { jobs, namespaces }: StartQuestion) =>
  snapshot === undefined ? undefined : checkStart(snapshot, jobs, { namespaces })
