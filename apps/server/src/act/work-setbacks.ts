import {
  instant,
  stateOf,
  workSetback,
  type ActionRun,
  type Instant,
  type Log,
  type UsageStore,
  type WorkReader,
  type WorkloadId,
} from '@septet/domain'
import { errorText } from '@septet/domain/words'

type Needs = {
  readonly usage: Pick<UsageStore, 'stays'>
  readonly work: WorkReader
  readonly log: Log
}

/** What a run makes worse by what its workloads do; undefined: nothing, or nothing that is counted. */
export type WorkSetbacks = (run: ActionRun, now: Instant) => Promise<string | undefined>

const MINUTE_MS = 60_000
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS
/** Within less time nobody's pace can be told; of more only the newest part is looked at. */
const SHORTEST_MS = 15 * MINUTE_MS
const LONGEST_MS = 60 * MINUTE_MS
/** Samples reach an engine a little later. */
const SETTLED_MS = MINUTE_MS
const MOST_WORKLOADS = 10

/**
 * Looks once a minute what the workloads that a run has touched do since it was verified, beside the same time of the days
 * before. What cannot be asked is no setback: the rest of what is watched does not wait for it.
 */
export function openWorkSetbacks({ usage, work, log }: Needs): WorkSetbacks {
  const known = new Map<string, { readonly at: Instant; readonly says: string | undefined }>()
  const look = async (run: ActionRun, now: Instant): Promise<string | undefined> => {
    const at = instant(Math.floor((now - SETTLED_MS) / MINUTE_MS) * MINUTE_MS)
    const lasted = Math.min(LONGEST_MS, at - stateOf(run).at)
    if (lasted < SHORTEST_MS) return undefined
    const seconds = Math.floor(lasted / MINUTE_MS) * 60
    for (const workload of touchedBy(run)) {
      const pods = await podsOf(workload, {
        usage,
        cluster: run.cluster,
        window: { from: instant(at - WEEK_MS), to: now },
      })
      const says = workSetback(workload, await work.signs({ workload, pods, at, seconds }))
      if (says !== undefined) return says
    }
    return undefined
  }
  return async (run, now) => {
    const before = known.get(run.id)
    if (before !== undefined && Math.abs(now - before.at) < MINUTE_MS) return before.says
    const says = await look(run, now).catch((error: unknown) => {
      log.warn('what work a change made worse was not counted', { run: run.id, error: errorText(error) })
      return undefined
    })
    known.set(run.id, { at: now, says })
    return says
  }
}

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
  return [...new Set(stays.flat().map(({ pod }) => pod.split('/').at(-1) ?? pod))].toSorted()
}
