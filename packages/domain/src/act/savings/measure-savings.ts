import { HOUR_MS, compareText, gpuHours, instant, usd, type Window } from '../../units.ts'
import type { Baseline, RunState } from '../action-run.ts'
import { daySum, type HourValue } from './day-spread.ts'
import { hoursIn, isPaidAnyway, judge } from './judge-saving.ts'
import { elsewhereSays, lessElsewhere, type Charged, type Reappearance } from './less-elsewhere.ts'
import { halfWidthOf, savedByHour, type SavedByHour } from './saved-by-hour.ts'
import type { Amount, Realized, RealizedWork, RunSaving, SavingQuestion, SavingState } from './saving.ts'

/**
 * What each of these runs brought; those that came to nothing before they were applied are left out. No GPU-hour is in two
 * runs: of what two claim the one that was applied first has it, be it capacity for one and money for the other.
 *
 * With a window to look `within`, amounts are of the hours that begin in it, and runs of which other hours alone were measured
 * are left out. Whether a run saves what was promised is told by all its hours either way.
 */
export function measureSavings(questions: readonly SavingQuestion[], within?: Window): readonly RunSaving[] {
  const earlier: Earlier = { claims: [], charged: new Map() }
  const inOrder = questions.toSorted(
    (a, b) => (a.appliedAt ?? Infinity) - (b.appliedAt ?? Infinity) || compareText(a.run, b.run),
  )
  return inOrder.flatMap((question) => {
    const stage = STAGES[question.state]
    if (stage === undefined) return []
    const { run, effect, estimate } = question
    const measured = measure(question, earlier, inOrder)
    const [state, because] = stage === 'applied' ? verdict(question, measured) : [stage, STAGE_WORDS[stage]]
    if (measured !== undefined && COUNTS.has(state)) earlier.claims.push(measured.claim)
    const shown = amountsOf({ question, measured, within })
    return shown === undefined ? [] : [{ run, effect, state, because, estimate, realized: shown.realized }]
  })
}

/** What all its hours say, and where what it saved reappears. */
function verdict(question: SavingQuestion, measured: Measured | undefined): readonly [SavingState, string] {
  const [state, because] = judge(question, measured?.realized, measured?.gone)
  const elsewhere = elsewhereSays(measured?.reappears ?? [], question.baseline?.usdPerGpuHour)
  return [state, [because, ...elsewhere].join(' ')]
}

type Shown = {
  readonly question: SavingQuestion
  readonly measured: Measured | undefined
  readonly within: Window | undefined
}

/** What was measured in a window; undefined where the run was measured at other times only. */
function amountsOf({ question: { after }, measured, within }: Shown): Pick<RunSaving, 'realized'> | undefined {
  if (within === undefined || after === undefined) return { realized: measured?.realized }
  const window = wholeHours(within, after.window)
  return window && { realized: measured?.realizedIn(window) }
}

/** What counts, or will when it was measured for long enough. */
const COUNTS: ReadonlySet<SavingState> = new Set(['applied', 'verified', 'partly-verified'])

type Stage = Exclude<SavingState, 'verified' | 'partly-verified'>

/** Where a run stands as a saving; `applied` is judged by what was measured. Undefined: it came to nothing. */
const STAGES: Readonly<Record<RunState, Stage | undefined>> = {
  proposed: 'estimated',
  approved: 'approved',
  checked: 'approved',
  rehearsed: 'approved',
  'handed-over': 'approved',
  warned: 'approved',
  applying: 'approved',
  applied: 'applied',
  verified: 'applied',
  kept: 'applied',
  reverting: 'reverted',
  reverted: 'reverted',
  failed: 'failed',
  rejected: undefined,
  expired: undefined,
  cancelled: undefined,
}

const STAGE_WORDS: Readonly<Record<Exclude<Stage, 'applied'>, string>> = {
  estimated: 'It is not approved yet.',
  approved: 'It is approved, and not all of it is applied yet.',
  failed: 'It could not be applied in full.',
  reverted: 'It was reverted.',
}

/** GPU-hours that a run has, by hour. */
type Claim = { readonly touches: ReadonlySet<string>; readonly byHour: ReadonlyMap<number, number> }
type Measured = {
  readonly realized: Realized
  /** What of it lies in a part of its window; undefined where nothing was measured in that. */
  readonly realizedIn: (window: Window) => Realized | undefined
  readonly claim: Claim
  readonly reappears: readonly Reappearance[]
  /** Where all of it is: with earlier runs, or with the same work elsewhere. */
  readonly gone: 'claimed' | 'moved' | undefined
}

/** What runs that were applied earlier have of GPU-hours, and what of other workloads' is taken from them. */
type Earlier = { readonly claims: Claim[]; readonly charged: Charged }

function measure(
  question: SavingQuestion,
  { claims, charged }: Earlier,
  inOrder: readonly SavingQuestion[],
): Measured | undefined {
  const { baseline, after, effect, touches, appliedAt } = question
  if (baseline === undefined || after === undefined || appliedAt === undefined) return undefined
  const whole = untilNext(savedByHour(baseline, after, effect), nextChange(question, inOrder))
  if (whole.hours.length === 0) return undefined
  const { saved, reappears, isMoved } = lessElsewhere(whole, { question, charged, changed: workloadsOf(inOrder) })
  const rivals = claims.filter((claim) => touches.some((each) => claim.touches.has(each)))
  const { hours, isClaimed } = lessClaimed(saved.hours, rivals)
  const isPaid = isPaidAnyway(question)
  const own = hours.map((each) => (isPaid ? { ...each, value: 0 } : each))
  const realizedIn = (window: Window): Realized | undefined => {
    const inside = own.filter(({ hour }) => hour * HOUR_MS >= window.from && hour * HOUR_MS < window.to)
    return inside.length === 0 ? undefined : realizedOf(inside, { window, saved, baseline, isPaid })
  }
  return {
    gone: isMoved ? 'moved' : isClaimed ? 'claimed' : undefined,
    reappears,
    claim: { touches: new Set(touches), byHour: new Map(hours.map(({ hour, value }) => [hour, value])) },
    realized: realizedOf(own, { window: after.window, saved, baseline, isPaid }),
    realizedIn,
  }
}

const WORKLOAD = 'workload/'
const workloadsOf = (questions: readonly SavingQuestion[]): ReadonlySet<string> =>
  new Set(
    questions
      .flatMap(({ touches }) => touches)
      .flatMap((each) => (each.startsWith(WORKLOAD) ? each.slice(WORKLOAD.length) : [])),
  )

/** When the same objects are changed again; Infinity where they are not. */
const nextChange = ({ appliedAt, touches }: SavingQuestion, inOrder: readonly SavingQuestion[]): number =>
  inOrder.find(
    (other) => (other.appliedAt ?? 0) > (appliedAt ?? Infinity) && other.touches.some((each) => touches.includes(each)),
  )?.appliedAt ?? Infinity

/** What another change makes of the same object is not a chance. */
const untilNext = (saved: SavedByHour, next: number): SavedByHour => ({
  ...saved,
  chance: { ...saved.chance, since: saved.chance.since.filter(({ hour }) => hour * HOUR_MS < next) },
})

type Behind = {
  readonly window: Window
  readonly saved: SavedByHour
  readonly baseline: Baseline
  readonly isPaid: boolean
}

function realizedOf(
  hours: SavedByHour['hours'],
  { window, saved, baseline: { usdPerGpuHour: price }, isPaid }: Behind,
): Realized {
  const sum = daySum(hours.map(({ value }) => value))
  const half = isPaid ? 0 : halfWidthOf(saved, hours)
  return {
    window,
    basis: saved.basis,
    work: workOf(saved, hours),
    gpuHours: amount(gpuHours, sum, half),
    usd: price === undefined ? undefined : amount(usd, sum * price, half === undefined ? undefined : half * price),
    byHour: hours.map(({ hour, value }) => ({ hour, value })),
    knownHours: hours.length,
    unknownHours: hoursIn({ window }) - hours.length,
  }
}

function workOf({ work }: SavedByHour, hours: SavedByHour['hours']): RealizedWork | undefined {
  if (work === undefined) return undefined
  const { unit, source, perGpuHour: before } = work
  const [done, held] = [daySum(hours.map((each) => each.done ?? 0)), daySum(hours.map((each) => each.held ?? 0))]
  return { unit, source, done, perGpuHour: { before, after: held === 0 ? undefined : done / held } }
}

/** The hours of the second that begin in the first; undefined where there are none. */
function wholeHours({ from, to }: Window, measured: Window): Window | undefined {
  const first = instant(Math.max(measured.from, Math.ceil(from / HOUR_MS) * HOUR_MS))
  const end = instant(Math.min(measured.to, Math.ceil(to / HOUR_MS) * HOUR_MS))
  return first < end ? { from: first, to: end } : undefined
}

/**
 * Without what earlier runs have of the same hours. Taken from their sum and not hour by hour, where chance alone would
 * leave something over in half of them.
 */
function lessClaimed<Hour extends HourValue>(hours: readonly Hour[], rivals: readonly Claim[]) {
  const taken = new Map(
    hours.flatMap(({ hour }) => {
      const theirs = rivals.flatMap(({ byHour }) => byHour.get(hour) ?? [])
      return theirs.length === 0 ? [] : [[hour, daySum(theirs)]]
    }),
  )
  const own = daySum(hours.flatMap(({ hour, value }) => (taken.has(hour) ? value : [])))
  const theirs = Math.max(0, daySum([...taken.values()]))
  if (own <= 0 || theirs === 0) return { hours, isClaimed: false }
  const left = 1 - Math.min(theirs, own) / own
  return {
    hours: hours.map((each) => (taken.has(each.hour) ? { ...each, value: each.value * left } : each)),
    isClaimed: left === 0 && taken.size === hours.length,
  }
}

function amount<Unit extends number>(
  unit: (value: number) => Unit,
  value: number,
  half: number | undefined,
): Amount<Unit> {
  const range = half === undefined ? undefined : { low: unit(value - half), high: unit(value + half) }
  return { value: unit(value), range }
}
