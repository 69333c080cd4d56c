import type { AskedJob } from './asked-job.ts'
import type { Judged } from './judge-job.ts'
import type { JobChange, StartAnswer } from './start-answer.ts'
import { sliceWarning } from './slice-warning.ts'
import { joined, startSentence } from './start-sentence.ts'
import { limitsOfNamespace, SUSPENDED } from './why-not-now.ts'

/**
 * The answer for whoever is limited to namespaces: whether it starts, and of the reasons what is theirs. Nodes, pods and
 * queues of others are not named, nor what they have left.
 */
export function limitedAnswer(answer: StartAnswer, job: AskedJob, { limits, seatings }: Judged): StartAnswer {
  const own = new Set([...job.unknown, ...seatings.flatMap(({ pods }) => pods.unknown)])
  const known = answer.unknown.filter((words) => own.has(words))
  const unknown = known.length < answer.unknown.length ? [...known, WITHHELD] : known
  const because = [...(job.suspended ? [SUSPENDED] : []), ...limitsOfNamespace(limits)]
  return {
    ...answer,
    sentence: joined(
      startSentence(job, { ...answer, unknown, nodes: [] }),
      sliceWarning({ seatings }, answer.places, false),
    ),
    places: [],
    because: answer.verdict === 'not-now' && because.length === 0 ? [NO_ROOM] : because,
    unknown,
    ways: answer.ways.filter(({ kind }) => kind === 'quota').slice(0, limitsOfNamespace(limits).length),
    changes: answer.changes.filter(({ kind }) => !OF_OTHERS.has(kind)),
  }
}

const WITHHELD = 'something about nodes or other workloads, which is shown only to people who can see the whole cluster'
const NO_ROOM =
  'Too little is free where it may run, or its queue is full; only people who can see the whole cluster see which.'

/** They name taints of nodes that the caller may not see. */
const OF_OTHERS: ReadonlySet<JobChange['kind']> = new Set(['taint'])
