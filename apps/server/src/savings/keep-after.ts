import {
  HOUR_MS,
  instant,
  type ActionRun,
  type Baseline,
  type HoursAfter,
  type Instant,
  type Measured,
  type Window,
} from '@septet/domain'

import { readElsewhere } from './read-elsewhere.ts'
import type { SavingsParts } from './keep-baseline.ts'
import { hourOf, joinAt, readHours, readPoolGpus, witnessesOf, type ByHour, type HoursAsked } from './read-hours.ts'
import { readDone } from './read-work.ts'
import { subjectOf, type SavingSubject } from './saving-subject.ts'

/** How long a change is measured: after that a week of long ago tells nothing of what would have been. Whole weeks. */
const MEASURED_MS = 4 * 168 * HOUR_MS
/** Samples that come late may change rows of hours that ended less than this ago. */
const UNSETTLED_MS = 6 * HOUR_MS
/** What nobody saw may be known later, where the past is read again after a stop. */
const READ_LATER_MS = 48 * HOUR_MS

/** The whole hours since a run was applied that are measured by now; undefined before the first, and where it never was. */
export function measuredWindow({ transitions }: ActionRun, now: Instant): Window | undefined {
  const applied = transitions.find(({ state }) => state === 'applied')
  if (applied === undefined) return undefined
  const undone = transitions.find(({ state }) => state === 'reverting')
  const from = instant(Math.ceil(applied.at / HOUR_MS) * HOUR_MS)
  const to = hourOf(Math.min(now, undone?.at ?? Infinity, from + MEASURED_MS))
  return to > from ? { from, to } : undefined
}

/** Keeps what a run's object held in each hour since, adding to what is kept. */
export async function keepAfterOf(
  run: ActionRun,
  { baseline, after }: Measured,
  parts: SavingsParts & { readonly window: Window },
): Promise<void> {
  const { store, snapshot, window, work, now } = parts
  const subject = subjectOf(run)
  // After a restart all of it may be kept already, and the rows that it was read from may be gone.
  if (subject === undefined || (after?.window.to ?? 0) >= window.to) return
  const from = instant(Math.max(window.from, after === undefined ? 0 : unsettledFrom(after)))
  const witnesses = witnessesOf(subject, snapshot)
  const asked = { cluster: run.cluster, subject, window: { from, to: window.to }, witnesses }
  const held = await readHours(store.usage, asked)
  const joined = joinAt((from - window.from) / HOUR_MS)
  const done = await readDone(baseline.work, { run, window: asked.window, held, now }, { usage: store.usage, work })
  const elsewhere = await readElsewhere({ run, subject, baseline, after, asked, whole: window }, parts)
  const measured: HoursAfter = {
    window,
    heldByHour: joined(after?.heldByHour, held),
    ...(done && { work: { ...done, byHour: joined(workOf(after), done.byHour) } }),
    elsewhere,
  }
  if (subject.kind !== 'removed-node') return store.actions.keepAfter(run.id, measured)
  const gone = await readGone(store.usage, asked, { subject, held, baseline })
  return store.actions.keepAfter(run.id, { ...measured, goneByHour: joined(after?.goneByHour, gone) })
}

const workOf = (after: HoursAfter | undefined): ByHour | undefined => after?.work?.byHour

/** From when on hours are read again. */
function unsettledFrom({ window: { from, to }, heldByHour }: HoursAfter): number {
  const first = Math.max(0, (to - READ_LATER_MS - from) / HOUR_MS)
  const unknown = heldByHour.findIndex((held, order) => order >= first && held === null)
  return Math.min(to - UNSETTLED_MS, unknown < 0 ? Infinity : from + unknown * HOUR_MS)
}

type Removed = {
  readonly subject: Extract<SavingSubject, { readonly kind: 'removed-node' }>
  /** GPU-hours that it still had. */
  readonly held: ByHour
  readonly baseline: Pick<Baseline, 'poolGpus' | 'pools'>
}

/** Which part of each hour the node was gone, and no other was there in its place. */
async function readGone(
  usage: SavingsParts['store']['usage'],
  asked: HoursAsked,
  { subject: { gpus, pool, models }, held, baseline: { poolGpus: before, pools } }: Removed,
): Promise<ByHour> {
  if (pool === undefined || before === undefined || gpus.length === 0) return held.map(() => null)
  // A pool that was not there before, of the same GPUs, is the same pool under another name.
  const isNew = (name: string, model: string) => pools !== undefined && !pools.includes(name) && models.includes(model)
  const poolGpus = await readPoolGpus(usage, asked, (name, model) => name === pool || isNew(name, model))
  return held.map((still, order) => {
    const there = poolGpus[order] ?? null
    if (still === null || there === null) return null
    const fewer = (before - there) / gpus.length
    return Math.min(1, Math.max(0, Math.min(1 - still / gpus.length, fewer)))
  })
}
