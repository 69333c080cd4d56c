import type { AskedJob } from './asked-job.ts'
import { fewerPods, fewerGpus, smallerProfiles } from './change-size.ts'
import { lessCpu, lessMemory } from './change-room.ts'
import { looserRules, otherQueues, resumed, tolerations } from './change-rules.ts'
import { judgeJob, type Judged } from './judge-job.ts'
import type { OpenFleet } from './open-fleet.ts'
import type { Candidate, ChangeQuestion } from './job-change.ts'
import type { JobChange } from './start-answer.ts'

type Asked = {
  readonly job: AskedJob
  readonly beside: readonly AskedJob[]
  readonly judged: Judged
  readonly asker: { readonly namespaces: readonly string[] | undefined }
}

/** Kinds of change from the smallest on; each gives its candidates from the smallest on. */
const KINDS: readonly ((question: ChangeQuestion) => Iterable<Candidate>)[] = [
  resumed,
  tolerations,
  looserRules,
  otherQueues,
  lessCpu,
  lessMemory,
  smallerProfiles,
  fewerGpus,
  fewerPods,
]

/** So many candidates of one kind are tried. */
const MOST_TRIED = 12

/**
 * Changes of a job with each of which it would start now, the smallest first; of each kind the smallest that does. Every
 * one was judged like a job of its own.
 */
export function smallerJobs(fleet: OpenFleet, { job, beside, judged, asker }: Asked): readonly JobChange[] {
  const question: ChangeQuestion = { fleet, job, judged, namespaces: asker.namespaces }
  return KINDS.flatMap((candidates): JobChange | [] => {
    let tried = 0
    for (const { job: changed, ...change } of candidates(question)) {
      if (tried >= MOST_TRIED) break
      tried += 1
      if (judgeJob(fleet, changed, beside).verdict === 'now') return change
    }
    return []
  })
}
