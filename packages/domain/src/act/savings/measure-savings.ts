import { compareText, gpuHours, usd } from '../../units.ts'
import type { RunState } from '../action-run.ts'
import { sumOf, type HourValue } from './day-spread.ts'
import { hoursIn, isPaidAnyway, judge } from './judge-saving.ts'
import { savedByHour } from './saved-by-hour.ts'
import type { Amount, Realised, RunSaving, SavingQuestion, SavingState } from './saving.ts'

/**
 * What each of these runs brought; those that came to nothing before they were applied are left out. No GPU-hour is in two
 * runs: of what two claim the one that was applied first has it, be it capacity for one and money for the other.
 */
export function measureSavings(questions: readonly SavingQuestion[]): readonly RunSaving[] {
  const claims: Claim[] = []
  const inOrder = questions.toSorted(
    (a, b) => (a.appliedAt ?? Infinity) - (b.appliedAt ?? Infinity) || compareText(a.run, b.run),
  )
  return inOrder.flatMap((question) => {
    const stage = STAGES[question.state]
    if (stage === undefined) return []
    const { run, effect, estimate } = question
    const measured = measure(question, claims)
    const realised = measured?.realised
    const [state, because] =
      stage === 'applied' ? judge(question, realised, measured?.isClaimed ?? false) : [stage, STAGE_WORDS[stage]]
    if (measured !== undefined && COUNTS.has(state)) claims.push(measured.claim)
    return [{ run, effect, state, because, estimate, realised }]
  })
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
  estimated: 'Nobody has approved it yet.',
  approved: 'It is approved, and not all of it is applied yet.',
  failed: 'It could not be applied in full.',
  reverted: 'It was taken back.',
}

/** GPU-hours that a run has, by hour. */
type Claim = { readonly touches: ReadonlySet<string>; readonly byHour: ReadonlyMap<number, number> }
type Measured = {
  readonly realised: Realised
  readonly claim: Claim
  /** Whether earlier runs have all of it. */
  readonly isClaimed: boolean
}

function measure(question: SavingQuestion, claims: readonly Claim[]): Measured | undefined {
  const { baseline, after, effect, touches, appliedAt } = question
  if (baseline === undefined || after === undefined || appliedAt === undefined) return undefined
  const saved = savedByHour(baseline, after, effect)
  if (saved.hours.length === 0) return undefined
  const rivals = claims.filter((claim) => touches.some((each) => claim.touches.has(each)))
  const { hours, isClaimed } = lessClaimed(saved.hours, rivals)
  const isPaid = isPaidAnyway(question)
  const byHour = isPaid ? hours.map(({ hour }) => ({ hour, value: 0 })) : hours
  const sum = sumOf(byHour.map(({ value }) => value))
  const half = isPaid ? 0 : saved.halfWidth
  const price = baseline.usdPerGpuHour
  return {
    isClaimed,
    claim: { touches: new Set(touches), byHour: new Map(hours.map(({ hour, value }) => [hour, value])) },
    realised: {
      window: after.window,
      basis: saved.basis,
      gpuHours: amount(gpuHours, sum, half),
      usd: price === undefined ? undefined : amount(usd, sum * price, half === undefined ? undefined : half * price),
      byHour,
      knownHours: hours.length,
      unknownHours: hoursIn(after) - hours.length,
    },
  }
}

/**
 * Without what earlier runs have of the same hours. Taken from their sum and not hour by hour, where chance alone would
 * leave something over in half of them.
 */
function lessClaimed(hours: readonly HourValue[], rivals: readonly Claim[]) {
  const taken = new Map(
    hours.flatMap(({ hour }) => {
      const theirs = rivals.flatMap(({ byHour }) => byHour.get(hour) ?? [])
      return theirs.length === 0 ? [] : [[hour, sumOf(theirs)]]
    }),
  )
  const own = sumOf(hours.flatMap(({ hour, value }) => (taken.has(hour) ? value : [])))
  const theirs = Math.max(0, sumOf([...taken.values()]))
  if (own <= 0 || theirs === 0) return { hours, isClaimed: false }
  const left = 1 - Math.min(theirs, own) / own
  return {
    hours: hours.map(({ hour, value }) => ({ hour, value: taken.has(hour) ? value * left : value })),
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
