import {
  WEEK_MS,
  MINUTE_MS,
  instant,
  stateOf,
  judgeWork,
  type ActionRun,
  type ClusterSnapshot,
  type Instant,
  type Log,
  type UsageStore,
  type WorkReader,
  type WorkloadId,
  type WorkVerdict,
} from '@septet/domain'
import { errorText } from '@septet/domain/words'

type Needs = {
  readonly usage: Pick<UsageStore, 'stays'>
  readonly work: WorkReader
  readonly log: Log
}

/** How the workloads of a run do; `since`: from when on that is not known. */
export type WorkFound =
  | Exclude<WorkVerdict, { readonly kind: 'unknown' }>
  | { readonly kind: 'unknown'; readonly because: string; readonly since: Instant }

/** What a run makes worse by what its workloads do. */
export type WorkSetbacks = (run: ActionRun, now: Instant, snapshot: ClusterSnapshot | undefined) => Promise<WorkFound>

/** Within less time nobody's pace can be told; of more only the newest part is looked at. */
const SHORTEST_MS = 15 * MINUTE_MS
const LONGEST_MS = 60 * MINUTE_MS
/** Samples reach an engine a little later. */
const SETTLED_MS = MINUTE_MS
const MOST_WORKLOADS = 10

type Known = {
  readonly at: Instant
  readonly found: WorkFound
  /** When the engine told last, or was asked first where it has never told. */
  readonly heard: Instant
}
const FINE: WorkFound = { kind: 'fine' }

/**
 * Looks once a minute what the workloads that a run has touched do since it was verified, beside the same time of the days
 * before. What cannot be asked, or is not told any more, is unknown: neither a setback nor fine.
 */
export function openWorkSetbacks({ usage, work, log }: Needs): WorkSetbacks {
  const known = new Map<string, Known>()
  const look = async (run: ActionRun, now: Instant, snapshot: ClusterSnapshot | undefined): Promise<WorkFound> => {
    const since = verifiedAt(run)
    const at = instant(Math.floor((now - SETTLED_MS) / MINUTE_MS) * MINUTE_MS)
    const lasted = Math.min(LONGEST_MS, at - since)
    if (lasted < SHORTEST_MS) return FINE
    const seconds = Math.floor(lasted / MINUTE_MS) * 60
    let unknown: WorkFound | undefined
    for (const workload of touchedBy(run)) {
      const window = { from: instant(at - WEEK_MS), to: now }
      const running = runningPods(workload, snapshot)
      const held = await podsOf(workload, { usage, cluster: run.cluster, window })
      // New pods may hold GPUs of which no usage is known yet.
      const pods = [...new Set([...held, ...running])].toSorted()
      const verdict = judgeWork(workload, await work.signs({ workload, pods, running, at, seconds }))
      if (verdict.kind === 'worse') return verdict
      if (verdict.kind === 'unknown') unknown ??= { ...verdict, since }
    }
    return unknown ?? FINE
  }
  return async (run, now, snapshot) => {
    const before = known.get(run.id)
    if (before !== undefined && Math.abs(now - before.at) < MINUTE_MS) return before.found
    const heard = before?.heard ?? now
    const next = await look(run, now, snapshot).then(
      (found): Known => ({ at: now, found, heard: now }),
      (error: unknown): Known => {
        const text = errorText(error)
        log.warn('what work a change made worse was not counted', { run: run.id, error: text })
        const because = `The metrics engine is not responding, so its work is not counted. ${text}`
        return { at: now, found: { kind: 'unknown', because, since: heard }, heard }
      },
    )
    known.set(run.id, next)
    return next.found
  }
}

/** It may be watched longer than at first, which is told by the same state. */
const verifiedAt = (run: ActionRun): Instant =>
  run.transitions.find(({ state }) => state === 'verified')?.at ?? stateOf(run).at

/** Names of the pods of a workload that run by the newest reading. */
const runningPods = (workload: WorkloadId, snapshot: ClusterSnapshot | undefined): readonly string[] =>
  (snapshot?.pods ?? [])
    .filter((pod) => pod.workload === workload && pod.node !== undefined && pod.phase === 'Running')
    .map(({ id }) => nameOf(id))

const nameOf = (pod: string): string => pod.split('/').at(-1) ?? pod

/** Those that got another size or number of pods, or had to move, and are to go on. */
const touchedBy = ({ plan: { steps } }: Pick<ActionRun, 'plan'>): readonly WorkloadId[] =>
  [
    ...new Set(
      steps.flatMap(({ action }) => {
        const goesOn = action.kind === 'resize' || action.kind === 'evict' || (action.kind === 'scale' && action.to > 0)
        return goesOn ? [action.workload] : []
      }),
    ),
  ].slice(0, MOST_WORKLOADS)

type Held = {
  readonly usage: Needs['usage']
  readonly cluster: string
  readonly window: { from: Instant; to: Instant }
}

async function podsOf(workload: WorkloadId, { usage, cluster, window }: Held): Promise<readonly string[]> {
  const query = { cluster, window, workloads: [workload] }
  const stays = await Promise.all((['1h', '5m'] as const).map((span) => usage.stays({ ...query, span })))
  return stays.flat().map(({ pod }) => nameOf(pod))
}
