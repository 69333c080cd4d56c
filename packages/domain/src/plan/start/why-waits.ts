import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { toldCause, waitCause } from '../../cluster/wait-cause.ts'
import type { Pod, Workload } from '../../cluster/workload.ts'
import { whereNotTried } from '../../analyze/told-waits.ts'
import { countedFleet } from '../../fleet/counted-fleet.ts'
import { limitHints } from '../explain/tight-quotas.ts'
import type { QueuePatch } from '../explain/queue-patch.ts'
import type { AskedJob } from './asked-job.ts'
import { whyNotNow } from './check-start.ts'
import { judgeJob, submitted } from './judge-job.ts'
import type { StartVerdict, StartWay } from './start-answer.ts'
import { waysToStart } from './ways-to-start.ts'

/** Why work waits that was submitted, judged like a job that was not. */
export type WaitAnswer = {
  /** Whether its first waiting pod could start now; undefined where it has none, as its queue holds it back. */
  readonly verdict: StartVerdict | undefined
  /** What keeps it from starting, the nearest first. */
  readonly because: readonly string[]
  /** What could not be judged, and why. */
  readonly unknown: readonly string[]
  readonly ways: readonly WaitWay[]
}

/** What would start it; `free`: nothing need change; `patch`: the change of a cluster queue that lets it in. */
type WaitWay = Pick<StartWay, 'sentence'> & {
  readonly kind: StartWay['kind'] | 'free' | 'queue' | 'volume'
  readonly patch?: QueuePatch | undefined
}

/** Why a workload waits and what would start it. */
export function whyWaits(snapshot: ClusterSnapshot, workload: Workload, pod: Pod | undefined): WaitAnswer {
  const limits = limitHints(snapshot, workload)
  if (pod === undefined) return { verdict: undefined, because: [], unknown: [], ways: limits }
  const fleet = countedFleet(snapshot)
  // What was submitted with it does not stand in its own way.
  const others = { ...fleet, ahead: fleet.ahead.filter((each) => each.workload !== workload.id) }
  const job = jobOf(pod, workload)
  const judged = judgeJob(others, job, [])
  const notTried = [pod.waiting].flatMap((told) => (told && toldCause(told) === 'not-tried' ? told : []))
  return {
    verdict: judged.verdict,
    because: judged.verdict === 'now' ? [] : [...notTried.map(waitCause), ...whyNotNow(job, judged)],
    unknown: judged.unknown,
    ways: [
      ...notTried.map((): WaitWay => ({ kind: 'free', sentence: whereNotTried(pod, snapshot.takenAt).sentence })),
      ...(judged.verdict === 'now' ? [NOT_TRIED].slice(notTried.length) : waysToStart(others, job, judged)),
      ...limits,
      ...volumeWay(pod),
    ],
  }
}

const NOT_TRIED: WaitWay = {
  kind: 'free',
  sentence: 'It fits now: the scheduler has not tried since, or something other than GPUs blocks it.',
}

/** One pod as a job of its own: the API server has counted it against quotas already. */
const jobOf = (pod: Pod, { kind, name, labels }: Workload): AskedJob => ({
  kind,
  name,
  namespace: pod.namespace,
  queue: undefined,
  gang: false,
  stopped: [],
  isSubmitted: true,
  unknown: pod.scheduling.elsewhere === undefined ? [] : [pod.scheduling.elsewhere],
  edit: { document: 0, queue: undefined, suspend: undefined },
  groups: [{ ...submitted(pod, 1, labels), unknown: unreadOf(pod) }],
})

const unreadOf = ({ scheduling: { unread = [] } }: Pod): readonly string[] =>
  unread.length === 0
    ? []
    : [`its ${unread.join(', ')} may forbid more nodes, which is not judged for a pod that waits`]

/** The scheduler's words for volumes (kube-scheduler's VolumeBinding, NodeVolumeLimits and VolumeZone plugins). */
const VOLUME = /persistentvolume|volume node affinity|max volume count|no available volume zone/iu

const volumeWay = ({ waiting }: Pod): readonly WaitWay[] => (VOLUME.test(waiting?.message ?? '') ? [VOLUME_TOO] : [])

const VOLUME_TOO: WaitWay = {
  kind: 'volume',
  sentence: 'It waits for a volume as well: see the events of its PersistentVolumeClaim.',
}
