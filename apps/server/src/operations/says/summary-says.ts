import type { FigureView, FiguresOf, InputOf, Says, summaryGet, utilizationTrend } from '@septet/contract'
import { say } from '@septet/contract/says'
import { isIdleKnown, recordOf, WASTED_PARTS, wasteOf } from '@septet/domain'
import { dollars, percent, plural, short, wholePercent } from '@septet/domain/words'

import { figure, instantWords, over } from './phrases.ts'

type Summary = FiguresOf<typeof summaryGet>
type Asked = Pick<InputOf<typeof summaryGet>, 'range'>

/** What is wrong, how busy the GPUs were against the target, what they and their idle time cost, and where the window is partial. */
export const summarySays = (summary: Summary, { range }: Asked): Says => [
  say(summary.status.headline, 'status.headline'),
  ...summary.status.problems.map(({ message }, order) => say(message, `status.problems[${order}]`)),
  ...fleetSays(summary, range),
  ...utilizationSays(summary, range),
  ...costSays(summary.cost.capacity, 'cost.capacity', {
    known: `${over(range)}, the GPUs cost`,
    unknown: `${over(range)}, what the GPUs cost`,
  }),
  ...costSays(summary.cost.idleHeld, 'cost.idleHeld', {
    known: `${over(range)}, GPU time that was held but idle cost`,
    unknown: `${over(range)}, what idle GPU time cost`,
  }),
  ...summary.notes.map((note, order) => say(note, `notes[${order}]`)),
]

/** How the fleet is doing, in three short sentences. */
function fleetSays(summary: Summary, range: Asked['range']): Says {
  const { queued } = summary.workloads
  const fleet = [gpusWords(summary), busyWords(summary)].filter((words) => words !== undefined).join(', ')
  const wasted = wasteWords(summary.cost, over(range))
  return [
    say(`${fleet}.`, 'capacity.gpus'),
    ...(wasted === undefined ? [] : [say(wasted, 'cost.hours')]),
    ...(queued === 0 ? [] : [say(`${plural(queued, 'workload')} waiting.`, 'workloads.queued')]),
  ]
}

/** Sample data has fixed shares and no fleet that they are of. */
function gpusWords({ capacity, cost, source }: Summary): string | undefined {
  if (source.kind === 'sample') return undefined
  const gpus = plural(capacity.gpus, 'GPU')
  return cost.hours?.unallocated === null ? `Your namespaces hold ${gpus}` : gpus
}

function busyWords({ utilization: { busy } }: Summary): string {
  if (busy.value === null) return 'utilization not measured'
  return `${busy.quality === 'sample' ? percent(busy.value) : wholePercent(busy.value)} busy`
}

/** What of the cost was wasted, or of GPU time where nothing has a price; a floor where some of it was not measured. */
function wasteWords(cost: Summary['cost'], when: string): string | undefined {
  const { capacity, hours } = cost
  if (hours === null) return undefined
  if (hours.capacity <= 0) return `No GPU time was recorded ${when}.`
  const isPriced = capacity.value !== null
  const whole = capacity.value ?? hours.capacity
  const wasted = wasteOf(isPriced ? recordOf(WASTED_PARTS, (part) => cost[part].value) : hours)
  const words = (amount: number): string => (isPriced ? dollars(amount) : `${short(amount)} GPU-h`)
  const what = isPriced ? 'GPU spend' : 'GPU time'
  if (wasted > 0) {
    const whose = hours.unallocated === null ? `the ${what} of these namespaces` : what
    const share = `${hours.unmeasured > 0 ? 'at least ' : ''}${wholePercent(wasted / whole)}`
    return `${share} of ${whose} was wasted ${when}: ${words(wasted)} of ${words(whole)}.`
  }
  return isIdleKnown(hours)
    ? `No waste was measured in ${words(whole)} of ${what} ${when}.`
    : `${words(whole)} of ${what} ${when}; how much was idle is not measured.`
}

function utilizationSays({ utilization }: Summary, range: Asked['range']): Says {
  const { busy, allocated, busyOfAllocated, target } = utilization
  const standing = (value: number): string => (value >= target ? 'That meets' : 'That is below')
  return [
    say(
      busy.value === null
        ? `${over(range)}, how busy GPUs were: ${figure(busy)}.`
        : `${over(range)}, GPUs were busy ${figure(busy)} of the time. ${standing(busy.value)} the target of ${percent(target, 0)}.`,
      'utilization.busy',
      'utilization.target',
    ),
    say(
      `Allocated: ${figure(allocated)}${allocated.value === null ? '' : ' of GPU time'}. Busy while allocated: ${figure(busyOfAllocated)}.`,
      'utilization.allocated',
      'utilization.busyOfAllocated',
    ),
  ]
}

const costSays = (
  shown: FigureView,
  ref: string,
  { known, unknown }: { readonly known: string; readonly unknown: string },
): Says => [
  say(shown.value === null ? `${unknown}: ${figure(shown)}.` : `${known} ${figure(shown)}.`, ref),
  say(`Formula: ${shown.explain.formula.replace(/\.$/u, '')}.`, ref),
]

/** When utilization was highest, and how much of the window is not known. */
export function trendSays({ points }: FiguresOf<typeof utilizationTrend>, { range }: Asked): Says {
  const known = points.filter(({ busy }) => busy !== null)
  const highest = known.toSorted((a, b) => (b.busy ?? 0) - (a.busy ?? 0))[0]
  if (highest === undefined) return [say(`${over(range)}, utilization was not measured.`, 'points[0].busy')]
  // Sample data has weekdays and no dates.
  const when = Number.isNaN(Date.parse(highest.at)) ? `on ${highest.at}` : `at ${instantWords(highest.at)}`
  const missing = points.length - known.length
  const gaps = missing === 0 ? '' : `; ${missing} of ${points.length} readings are missing`
  return [
    say(
      `${over(range)}, utilization peaked at ${percent(highest.busy ?? 0)} ${when}${gaps}.`,
      `points[${points.indexOf(highest)}].busy`,
    ),
  ]
}
