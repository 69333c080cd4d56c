import { agree, dollars, duration, grouped, plural } from '../../words.ts'
import { timeWords } from '../../act/guardrails/words.ts'
import { CLASSES } from '../../plan/words/action-class.ts'
import { REPLAYS } from './replays.ts'
import type { ShadowAction, ShadowMonth } from './shadow.ts'
import { DAY_MS, HOUR_MS } from '../../units.ts'

/**
 * What a replay comes to, in sentences that a person decides by; each face says these and no others. `named`: the time is
 * named by its ends, where it was asked for like that.
 */
export function shadowWords(month: ShadowMonth, named = false): string {
  const { recorded, actions, totals } = month
  if (recorded === undefined) {
    return named
      ? 'No whole hour of this time is stored, so there is nothing to replay.'
      : 'No whole hour of this cluster is stored yet, so there is nothing to replay. Ask again tomorrow.'
  }
  const length = lengthWords(recorded.to - recorded.from)
  const past = named
    ? `From ${timeWords(recorded.from)} to ${timeWords(recorded.to)} (${length})`
    : `In the last ${length}`
  const did = REPLAYS[month.class]
  if (actions.length === 0) return `${past} Septet would have ${did.nothing} by itself.`
  const { outcomes, objects, wrong } = totals
  const again = actions.length > objects ? `, ${timesWords(actions.length)} in total` : ''
  const error = wrong === 0 ? 'and never been wrong' : `and been wrong ${timesWords(wrong)}`
  const dark = outcomes['not-known']
  const unknown =
    dark === 0 ? '' : ` For ${dark === actions.length ? 'all of them' : dark} the outcome is unknown: ${did.dark}.`
  return `${past} Septet would have ${did.some(objects)}${again}, ${FREED[CLASSES[month.class].effect](amountWords(totals))}, ${error}.${unknown}`
}

const FREED = {
  'capacity-freed': (amount: string) => `freed ${amount}`,
  'bill-reduced': (amount: string) => `taken ${amount} off the bill`,
}

/** GPU-hours, and money of those that have a price. */
function amountWords({ gpuHours, usd, unpriced }: ShadowAction['freed']): string {
  const hours = plural(Number(gpuHours.toFixed(gpuHours < 10 ? 1 : 0)), 'GPU-hour')
  if (usd === undefined) return `${hours} (no price is known)`
  return `${hours} (${dollars(usd)}${unpriced > 0 ? `, ${grouped(unpriced, 0)} of them without a price` : ''})`
}

/** What the record says came after, for one of them. */
export function outcomeWords({ outcome, doneAt, object }: Pick<ShadowAction, 'outcome' | 'doneAt' | 'object'>): string {
  const later = duration((outcome.at - doneAt) / 1000)
  const isAtOnce = outcome.at === doneAt
  const words = object.startsWith('node/') ? NODE_WORDS : OUTCOME_WORDS
  return words[outcome.kind](isAtOnce ? 'at once' : `${later} later`, later)
}

type OutcomeWords = Record<ShadowAction['outcome']['kind'], (when: string, later: string) => string>

const OUTCOME_WORDS = {
  'came-back-at-once': () => 'Wrong: it worked again within the hour.',
  'too-little-memory': (when) =>
    `Wrong: ${when} it used more memory than it would have had, and would have been ended.`,
  'too-little-compute': (when) =>
    `Wrong: ${when} it was busier for an hour than what it would have had, and slowed down.`,
  'no-room': (when) => `Wrong: ${when} it found no room within an hour.`,
  'came-back-later': (when) => `It worked again ${when}.`,
  ended: (when) => (when === 'at once' ? 'It ended by itself then.' : `It ended or was changed by its owner ${when}.`),
  'still-idle': (_when, later) => `It has not worked in the ${later} since.`,
  'held-up': (_when, later) => `What it would have had was enough in the ${later} since.`,
  'not-known': () => 'Unknown: the hour after is not over, or was not measured.',
} as const satisfies OutcomeWords

const NODE_WORDS = {
  ...OUTCOME_WORDS,
  'no-room': (when) => `Wrong: ${when} its work found no room on the nodes that are left within an hour.`,
  ended: (when) => `The node went by itself ${when}.`,
  'held-up': (_when, later) => `The nodes that are left had room for its work in the ${later} since.`,
  'not-known': () => 'Unknown: nothing was recorded after it, or work still looked for room.',
} as const satisfies OutcomeWords

/** How long was replayed: whole days, or hours where it is less than one. */
const lengthWords = (milliseconds: number): string =>
  milliseconds < DAY_MS
    ? plural(Math.floor(milliseconds / HOUR_MS), 'hour')
    : plural(Math.floor(milliseconds / DAY_MS), 'day')

const timesWords = (count: number): string =>
  count === 1 ? 'once' : count === 2 ? 'twice' : `${grouped(count)} ${agree(count, 'time')}`
