import type { ActionRun, CountedWork, UsageStore, Window, WorkloadId, WorkReader } from '@septet/domain'
import { classRow } from '@septet/domain/action-classes'

import type { ByHour } from './read-hours.ts'
import { subjectOf } from './saving-subject.ts'

type WorkAsked = {
  readonly run: ActionRun
  /** Another that does its work. Left out: the run's own. */
  readonly workload?: WorkloadId
  readonly window: Window
  /** GPU-hours held in each of these hours. */
  readonly held: ByHour
  /** By what it was counted before; undefined: by whatever is found. */
  readonly source?: string
  /** After this instant work that cannot be read is not waited for any longer. */
  readonly now: number
}

type Sources = { readonly usage: Pick<UsageStore, 'stays'>; readonly work: WorkReader | undefined }

const PATIENCE_MS = 24 * 3_600_000

/**
 * What a workload did in each hour. Undefined where no unit of work is known: of a node, of what was stopped (doing
 * nothing is what it is meant to do), and of workloads that nothing counts.
 */
export async function readWorkOf(asked: WorkAsked, { usage, work }: Sources): Promise<CountedWork | undefined> {
  const { run, window, held, source } = asked
  const subject = subjectOf(run)
  if (work === undefined || subject?.kind !== 'workload' || classRow(run.class).stopsWork) return undefined
  const { workload = subject.workload } = asked
  const query = { cluster: run.cluster, window, workloads: [workload] }
  const stays = await Promise.all((['1h', '5m'] as const).map((span) => usage.stays({ ...query, span })))
  const pods = [...new Set(stays.flat().map(({ pod }) => pod.split('/').at(-1) ?? pod))].toSorted()
  try {
    const asking = { workload, pods, window, ...(source === undefined ? {} : { source }) }
    const found = await work.work(asking)
    // Without a GPU nothing is done.
    return found && { ...found, byHour: found.byHour.map((units, order) => units ?? (held[order] === 0 ? 0 : null)) }
  } catch (error) {
    // The engine may come back; what is held is kept without it in the end.
    if (asked.now - window.to < PATIENCE_MS) throw error
    return undefined
  }
}

/** The same since the change, by what it was counted by before; hours that are not counted any more are unknown. */
export async function readDone(
  before: CountedWork | undefined,
  asked: Omit<WorkAsked, 'source'>,
  sources: Sources,
): Promise<CountedWork | undefined> {
  if (before === undefined) return undefined
  const { unit, source } = before
  const found = await readWorkOf({ ...asked, source }, sources)
  return found ?? { unit, source, byHour: asked.held.map((hours) => (hours === 0 ? 0 : null)) }
}
