import { agree, dollars, duration, grouped, plural } from '../../words.ts'
import type { ShadowAction, ShadowMonth } from './shadow.ts'

const DAY_MS = 86_400_000

/** What a replay comes to, in sentences that a person decides by; each face says these and no others. */
export function shadowWords(month: ShadowMonth): string {
  const { recorded, actions, totals } = month
  if (recorded === undefined) {
    return 'No whole hour of this cluster is stored yet, so there is nothing to replay. Ask again tomorrow.'
  }
  const past = `In the last ${lengthWords(recorded.to - recorded.from)}`
  if (actions.length === 0) return `${past} Septet would have stopped nothing by itself.`
  const { outcomes, workloads } = totals
  const again = actions.length > workloads ? `, ${timesWords(actions.length)} in all` : ''
  const wrong = outcomes['came-back-at-once']
  const error = wrong === 0 ? 'and never been wrong' : `and been wrong ${timesWords(wrong)}`
  const dark = outcomes['not-known']
  const unknown =
    dark === 0
      ? ''
      : ` Of ${dark === actions.length ? 'all of them' : dark} it is not known: the hour after is not over, or was not measured.`
  return `${past} Septet would have stopped ${plural(workloads, 'workload')}${again}, freed ${freedWords(totals)}, ${error}.${unknown}`
}

/** GPU-hours, and money of those that have a price. */
function freedWords({ gpuHours, usd, unpriced }: ShadowAction['freed']): string {
  const hours = `${grouped(gpuHours, gpuHours < 10 ? 1 : 0)} GPU-hours`
  if (usd === undefined) return `${hours} (no price is known)`
  return `${hours} (${dollars(usd)}${unpriced > 0 ? `, ${grouped(unpriced, 0)} of them without a price` : ''})`
}

/** What the record says came after, for one of them. */
export function outcomeWords({ outcome, stoppedAt }: Pick<ShadowAction, 'outcome' | 'stoppedAt'>): string {
  const later = duration((outcome.at - stoppedAt) / 1000)
  return OUTCOME_WORDS[outcome.kind](later, outcome.at === stoppedAt)
}

const OUTCOME_WORDS = {
  'came-back-at-once': () => 'Wrong: it worked again within the hour.',
  'came-back-later': (later) => `It worked again ${later} later.`,
  ended: (later, isAtOnce) =>
    isAtOnce ? 'It ended by itself then.' : `It ended ${later} later, without having worked.`,
  'still-idle': (later) => `It has not worked in the ${later} since.`,
  'not-known': () => 'Not known: the hour after is not over, or was not measured.',
} as const satisfies Record<ShadowAction['outcome']['kind'], (later: string, isAtOnce: boolean) => string>

/** How long was replayed: whole days, or hours where it is less than one. */
const lengthWords = (milliseconds: number): string =>
  milliseconds < DAY_MS
    ? plural(Math.floor(milliseconds / 3_600_000), 'hour')
    : plural(Math.floor(milliseconds / DAY_MS), 'day')

const timesWords = (count: number): string =>
  count === 1 ? 'once' : count === 2 ? 'twice' : `${grouped(count)} ${agree(count, 'time')}`

/** What a reader has to know of any replay: what nobody recorded, and what was assumed for it. */
export const SHADOW_NOTES: readonly string[] = [
  'Stopping work frees its GPUs for other work. The bill stays the same until a node goes.',
  'Each decision was made from hours that had ended by then. When work came back is known to the hour.',
  'Labels, and pods that must not be disrupted, are taken as they are known today. GitOps owners, autoscalers and septet.io/keep on objects are not recorded: they would have kept some of this work running.',
  'An owner is taken to have started the work again by hand. One Undo instead would have halted the class until a person let it go on.',
]
