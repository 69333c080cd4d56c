import type { budgetsList, costBreakdown, FiguresOf, InputOf, Says } from '@septet/contract'
import { busyWords } from '@septet/contract/busy-words'
import { say } from '@septet/contract/says'
import { heldOf } from '@septet/domain'
import { agree, cents, money, plural } from '@septet/domain/words'

import { over, quoted } from './phrases.ts'

type Breakdown = FiguresOf<typeof costBreakdown>
type Group = Breakdown['groups'][number]

const costlyFirst = (a: Group, b: Group): number =>
  (b.usd?.capacity ?? 0) - (a.usd?.capacity ?? 0) || b.gpuHours.capacity - a.gpuHours.capacity

/** Which group cost the most, what all of them cost, how busy what they held was, and where the window is partial. */
export function costSays(cost: Breakdown, { range, by, within }: InputOf<typeof costBreakdown>): Says {
  const { groups, total, notes } = cost
  const what = within === undefined ? by : 'workload'
  const unknown = heldUnknown(cost)
  // Nothing seen is not nothing held: no group is there to cite.
  if (unknown !== undefined)
    return [
      say(
        `${over(range)}, what GPUs cost and how busy they were by ${what} is unknown: ${unknown}`,
        'groups[0].usd',
        'groups[0].busy',
      ),
    ]
  const named = groups.filter(({ kind }) => kind === 'named')
  const [first] = named.toSorted(costlyFirst)
  const all = within === undefined ? 'Total' : 'All groups together'
  return [
    first === undefined
      ? say(`${over(range)}, no ${what} held a GPU.`, 'groups')
      : mostSaid(first, `${over(range)}, ${nameOf(first, what)}`, {
          of: plural(named.length, what),
          place: `groups[${groups.indexOf(first)}]`,
        }),
    say(`${all}: ${total?.usd ? cents(total.usd.capacity) : 'no price known'}.`, 'total.usd'),
    ...busySays(cost, { what, all }),
    ...notes.map((note, order) => say(note, `notes[${order}]`)),
  ]
}

/** A node or GPU may have no pool, and then has no name to quote. */
const nameOf = ({ key }: Group, what: string): string => (key === '' ? `no ${what}` : quoted(key))

const MOST_BUSY = 5

/** How busy what was held was: over all, and of those that held the most. */
function busySays({ groups, total }: Breakdown, { what, all }: { readonly what: string; readonly all: string }): Says {
  if (total === null || total.coverage === null) return []
  const held = groups
    .filter(({ kind, coverage }) => kind === 'named' && coverage !== null)
    .toSorted((a, b) => heldOf(b.gpuHours) - heldOf(a.gpuHours))
  const first = held.slice(0, MOST_BUSY)
  const who = held.length > first.length ? `, the ${first.length} of ${held.length} that held the most` : ''
  const each = first.map((group) => `${nameOf(group, what)} ${busyWords(group)}`).join(', ')
  const [place, ...places] = first.map((group) => `groups[${groups.indexOf(group)}].busy`)
  return [
    say(`${all}, busy share of the GPU time that was held: ${busyWords(total)}.`, 'total.busy'),
    ...(place === undefined ? [] : [say(`By ${what}${who}: ${each}.`, place, ...places)]),
  ]
}

type Most = { readonly of: string; readonly place: string }

/** Without a price it is known who held most, and not what it cost. */
const mostSaid = ({ usd, gpuHours }: Group, who: string, { of, place }: Most): Says[number] =>
  usd === null
    ? say(
        `${who} held the most of ${of}: ${gpuHours.capacity.toFixed(1)} GPU-h. No price is known.`,
        `${place}.gpuHours`,
      )
    : say(`${who} cost the most of ${of}: ${cents(usd.capacity)}.`, `${place}.usd`)

/** Why nothing is known of what was held, in a sentence; undefined where it is known. */
function heldUnknown({ total, observedSeconds, notes }: Breakdown): string | undefined {
  if (total === null) return 'The sample data has no such figure; choose a cluster to see it.'
  return observedSeconds === 0 ? (notes[0] ?? 'Nothing was seen in this window.') : undefined
}

type Budgets = FiguresOf<typeof budgetsList>
type Outlook = Pick<Budgets['budgets'][number], 'month' | 'spent' | 'unknownDays' | 'forecast'>

/** What the month comes to, between which amounts and concluded from what, or why nobody can tell; and where each budget stands. */
export function budgetsSay({ outlook, budgets }: Budgets): Says {
  if (outlook === null) return [say('No forecast is made of sample data.', 'outlook')]
  const { month, spent } = outlook
  const spentText =
    spent === null
      ? `What was spent in ${monthName(month)} is unknown.`
      : `${money(spent)} has been spent in ${monthName(month)}.`
  return [
    ...outlookSays(outlook, { of: monthName(month), place: 'outlook' }),
    say(spentText, 'outlook.spent'),
    ...budgets.flatMap((budget, order) => budgetSays(budget, `budgets[${order}]`)),
  ]
}

function budgetSays(budget: Budgets['budgets'][number], place: string): Says {
  const { id, usedUp } = budget
  const of = `budget ${id}`
  if (usedUp === null) return outlookSays(budget, { of, place })
  const when = usedUp.isOver ? 'was used up on' : 'will at this pace be used up on'
  return [say(`${of} ${when} ${usedUp.date}.`, `${place}.usedUp`), ...outlookSays(budget, { of, place })]
}

type Subject = { readonly of: string; readonly place: string }

const outlookSays = ({ forecast, unknownDays }: Outlook, { of, place }: Subject): Says => [
  say(forecastText(forecast, of), forecast.kind === 'known' ? `${place}.forecast.usd` : `${place}.forecast.low`),
  ...(unknownDays === 0
    ? []
    : [
        say(
          `${plural(unknownDays, 'day')} of this month ${agree(unknownDays, 'was', 'were')} not fully observed: the missing hours are not in the amount spent${forecast.kind === 'known' ? ', but are estimated in the forecast' : ''}.`,
          `${place}.unknownDays`,
        ),
      ]),
]

function forecastText(forecast: Outlook['forecast'], of: string): string {
  if (forecast.kind === 'unknown') return `no forecast for ${of}: ${forecast.because}`
  const expected = `${of} is expected to come to ${money(forecast.usd)}`
  const days = plural(forecast.days, 'day')
  if (forecast.high - forecast.low < 1) return `${expected}: the forecast matched the cost on each of the past ${days}.`
  const how = forecast.method === 'weekday' ? 'by day of the week' : 'daily mean'
  return `${expected} (80% chance of ${money(forecast.low)} to ${money(forecast.high)}), based on ${days} (${how}).`
}

/** "November 2026" of `2026-11`. */
const monthName = (month: string): string =>
  new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )
