import type { AskedJob, AskedPods } from './asked-job.ts'
import type { Judged } from './judge-job.ts'
import type { CountedFleet } from '../../fleet/counted-fleet.ts'
import type { JobChange } from './start-answer.ts'

/** A job as it would be after a change. */
export type Candidate = JobChange & { readonly job: AskedJob }

/** What changes are looked for in. */
export type ChangeQuestion = {
  readonly fleet: CountedFleet
  readonly job: AskedJob
  readonly judged: Judged
  /** Namespaces that may be named; undefined: all. */
  readonly namespaces: readonly string[] | undefined
}

/** The job with one of its groups replaced. */
export const withGroup = (job: AskedJob, at: number, pods: AskedPods): AskedJob => ({
  ...job,
  groups: job.groups.map((each, index) => (index === at ? pods : each)),
})

export const ofPart = ({ part }: AskedPods): string => (part === '' ? '' : ` of ${part}`)
