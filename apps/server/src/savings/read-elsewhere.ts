import {
  HOUR_MS,
  namespaceOf,
  type ActionRun,
  type Baseline,
  type HeldElsewhere,
  type HoursAfter,
  type Window,
  type WorkSign,
} from '@septet/domain'

import { candidatesOf, readHeldWork, type Candidate } from './find-work.ts'
import type { SavingsParts } from './keep-baseline.ts'
import { joinAt, readHeldBy, readTotals, type ByHour, type HoursAsked } from './read-hours.ts'
import { readDone } from './read-work.ts'
import type { SavingSubject } from './saving-subject.ts'

type Asked = {
  readonly run: ActionRun
  readonly subject: SavingSubject
  readonly baseline: Baseline
  /** What is kept already. */
  readonly after: HoursAfter | undefined
  /** The hours that are read anew. */
  readonly asked: HoursAsked
  /** All hours since the change. */
  readonly whole: Window
}

/** More of one kind of work, as of jobs that come by the hundred, are left out. */
const MOST = 50
/** A move is made ready before a change, or follows it. */
const READY_HOURS = 72
const FOLLOWS_HOURS = 48
/** Where nothing but kind and time speak for it, and it is in another namespace, it is at most so many times as large. */
const ALIKE = 1.5

/**
 * What the same work holds under other names, and what the change moved, hour by hour: for a node on other GPUs than its own, for
 * one that was removed on GPUs that came since, which alone cost anything.
 */
export async function readElsewhere(of: Asked, parts: SavingsParts): Promise<readonly HeldElsewhere[]> {
  const { baseline, after, asked, subject } = of
  const kept = after?.elsewhere ?? []
  const earlier = { ...asked, window: baseline.window }
  const now = await readHeldWork(parts, asked)
  // What ended before the change is among them: of jobs that take turns the new ones are no growth.
  const ended = after?.elsewhere === undefined ? await readHeldWork(parts, earlier) : []
  const names = new Set(kept.map(({ workload }) => workload))
  const all = [...new Map([...now, ...ended].map((each) => [each.workload, each])).values()]
  const found = candidatesOf(baseline, all, { subject, known: parts.known }).filter(
    ({ workload }) => !names.has(workload),
  )
  if (kept.length === 0 && found.length === 0) return []
  const isCounted = await gpusCounted(of, parts, [...names, ...found.map(({ workload }) => workload)])
  const [fresh, newer] = await Promise.all([
    readHeldBy(parts.store.usage, asked, { workloads: [...names], ...isCounted }),
    readNew(found.slice(0, MOST - Math.min(MOST, kept.length)), { of, parts, earlier, isCounted }),
  ])
  const joined = joinAt((asked.window.from - of.whole.from) / HOUR_MS)
  const longer = kept.map(async (each): Promise<HeldElsewhere> => {
    const held = fresh.get(each.workload) ?? []
    const done = await readDoneBy({ ...each, heldByHour: held }, { of, parts, window: asked.window })
    const { doneByHour: before, ...rest } = each
    return { ...rest, heldByHour: joined(each.heldByHour, held), ...(done && { doneByHour: joined(before, done) }) }
  })
  return [...(await Promise.all(longer)), ...newer]
}

type Counted = { readonly isCounted?: (gpu: string) => boolean }

async function gpusCounted(
  { subject, baseline, asked, whole }: Asked,
  parts: SavingsParts,
  workloads: readonly string[],
) {
  if (subject.kind === 'workload') return {}
  if (subject.kind === 'node') return { isCounted: (gpu: string) => !subject.gpus.includes(gpu) }
  const { usage } = parts.store
  const now = await readTotals(usage, { ...asked, window: whole }, { by: ['gpu'], kinds: ['held'], workloads })
  const gpus = now.map(({ key }) => key.gpu ?? '')
  const before = await readTotals(usage, { ...asked, window: baseline.window }, { by: ['gpu'], gpus })
  const old = new Set([...subject.gpus, ...before.map(({ key }) => key.gpu ?? '')])
  return { isCounted: (gpu: string) => !old.has(gpu) }
}

type NewAsked = {
  readonly of: Asked
  readonly parts: SavingsParts
  readonly earlier: HoursAsked
  readonly isCounted: Counted
}

/** All hours of those that were not looked at so far. */
async function readNew(found: readonly Candidate[], { of, parts, earlier, isCounted }: NewAsked) {
  const asking = { workloads: found.map(({ workload }) => workload), ...isCounted }
  const [before, since] = await Promise.all([
    readHeldBy(parts.store.usage, earlier, asking),
    readHeldBy(parts.store.usage, { ...of.asked, window: of.whole }, asking),
  ])
  const most = ALIKE * peakOf(of.baseline.heldByHour)
  const near = spacesOf(of.baseline)
  const held = found.flatMap(({ workload, sign }): readonly HeldElsewhere[] => {
    const [heldBefore = [], heldByHour = []] = [before.get(workload), since.get(workload)]
    const ranBefore = ranOn(sign, heldBefore, heldByHour)
    const follows = !ranBefore && heldByHour.slice(0, FOLLOWS_HOURS).some(holds)
    const isAlike = near.has(namespaceOf(workload)) || peakOf(heldByHour) <= most
    return sign === 'kind' && !(follows && isAlike)
      ? []
      : [{ workload, sign, heldByHour, ...(ranBefore ? { heldBefore } : {}) }]
  })
  return Promise.all(
    held.map(async (each): Promise<HeldElsewhere> => {
      const done = await readDoneBy(each, { of, parts, window: of.whole })
      return done === undefined ? each : { ...each, doneByHour: done }
    }),
  )
}

const spacesOf = ({ works = [] }: Baseline): ReadonlySet<string> =>
  new Set(works.map(({ workload }) => namespaceOf(workload)))

const peakOf = (byHour: ByHour): number => byHour.reduce<number>((most, hours) => Math.max(most, hours ?? 0), 0)

/** Whether it ran by itself before. What was made ready shortly before, and goes on, only ran beside the old one. */
function ranOn(sign: WorkSign, before: ByHour, since: ByHour): boolean {
  const isReadied = sign !== 'displaced' && since.some(holds)
  return (isReadied ? before.slice(0, -READY_HOURS) : before).some(holds)
}

const holds = (hours: number | null): boolean => hours !== null && hours > 0

type DoneAsked = { readonly of: Asked; readonly parts: SavingsParts; readonly window: Window }

/** What one did, where that is counted and all of it is done in place of the run's own work. */
async function readDoneBy(
  { workload, heldByHour: held, heldBefore }: HeldElsewhere,
  { of: { run, baseline }, parts, window }: DoneAsked,
): Promise<ByHour | undefined> {
  if (baseline.work === undefined || heldBefore !== undefined) return undefined
  const sources = { usage: parts.store.usage, work: parts.work }
  return (await readDone(baseline.work, { run, workload, window, held, now: parts.now }, sources))?.byHour
}
