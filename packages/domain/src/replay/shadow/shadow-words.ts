import { agree, dollars, duration, grouped, plural } from '../../words.ts'
import { timeWords } from '../../act/guardrails/words.ts'
import type { ShadowAction, ShadowClass, ShadowMonth } from './shadow.ts'
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
  const did = DID[month.class]
  if (actions.length === 0) return `${past} Septet would have ${did.nothing} by itself.`
  const { outcomes, objects, wrong } = totals
  const again = actions.length > objects ? `, ${timesWords(actions.length)} in total` : ''
  const error = wrong === 0 ? 'and never been wrong' : `and been wrong ${timesWords(wrong)}`
  const dark = outcomes['not-known']
  const unknown =
    dark === 0 ? '' : ` For ${dark === actions.length ? 'all of them' : dark} the outcome is unknown: ${did.dark}.`
  return `${past} Septet would have ${did.some(objects)}${again}, ${did.freed(amountWords(totals))}, ${error}.${unknown}`
}

type Did = {
  readonly nothing: string
  readonly some: (objects: number) => string
  readonly freed: (amount: string) => string
  readonly dark: string
}

const freed = (amount: string): string => `freed ${amount}`
const NOT_MEASURED = 'nothing was measured after it'

const DID = {
  'reclaim-idle': {
    nothing: 'stopped nothing',
    some: (objects) => `stopped ${plural(objects, 'workload')}`,
    freed,
    dark: 'the hour after is not over, or was not measured',
  },
  'right-size': {
    nothing: 'given no work a smaller size',
    some: (objects) => `given ${plural(objects, 'workload')} a smaller size`,
    freed,
    dark: NOT_MEASURED,
  },
  'fewer-gpus': {
    nothing: 'given no work fewer GPUs',
    some: (objects) => `given ${plural(objects, 'workload')} fewer GPUs`,
    freed,
    dark: NOT_MEASURED,
  },
  'remove-node': {
    nothing: 'removed no node',
    some: (objects) => `removed ${plural(objects, 'node')}`,
    freed: (amount) => `taken ${amount} off the bill`,
    dark: 'nothing was recorded after it, or work still looked for room',
  },
} as const satisfies Record<ShadowClass, Did>

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

const TODAY =
  'Labels, and pods that must not be disrupted, are assumed to be as they are today. GitOps owners, autoscalers and septet.io/keep on objects are not recorded: they would have kept some of this from being done.'
const ALONE = 'Only this class is assumed to be on auto; what other classes would have done first is not included.'
const IN_TURNS = 'If more than 25 workloads could shrink at the same time, the replay checks 25 of them each hour.'
const LET_ON =
  'After each mistake, the replay assumes that a person undoes it and resumes the class. On a live cluster the class stays halted until someone does.'

/** What a reader has to know of a replay: what nobody recorded, what was assumed for it, and what counts as wrong. */
const NOTES = {
  'reclaim-idle': [
    'Stopping work frees its GPUs for other work. The bill stays the same until a node goes.',
    'Each decision was made from hours that had ended by then. When work came back is known to the hour.',
    'Labels, and pods that must not be disrupted, are assumed to be as they are today. GitOps owners, autoscalers and septet.io/keep on objects are not recorded: they would have kept some of this work running.',
    'The replay assumes that the owner restarted the work by hand. An Undo would instead have halted the class until a person resumed it.',
  ],
  'right-size': [
    'A smaller size frees the rest of the GPU for other work. The bill stays the same until a node goes.',
    'A change counts as wrong if a later memory peak exceeds the smaller profile, or if the work’s average in a later hour exceeds what its slices can do.',
    'Each decision was made from hours that had ended by then; what was learned of later peaks is at most a day old. Where MIG devices lie on a GPU is not recorded, so they lie where they can.',
    'CPU and memory requests, tolerations and pods that must not be disrupted are as they are today. Capacity that a change frees stays free.',
    IN_TURNS,
    TODAY,
    ALONE,
    LET_ON,
  ],
  'fewer-gpus': [
    'Fewer GPUs for work frees the others for other work. The bill stays the same until a node goes.',
    'A change counts as wrong if all its devices together averaged more work in a later hour than the remaining ones can do, or if a pod needed more memory than its remaining devices have.',
    'Each decision was made from hours that had ended by then; what was learned of later peaks is at most a day old. How far an autoscaler would have gone down is not recorded.',
    IN_TURNS,
    TODAY,
    ALONE,
    LET_ON,
  ],
  'remove-node': [
    'A node that goes lowers the bill, where its machine is ended and not prepaid.',
    'Wrong is where work that later ran on the node would have found no such GPUs free on the nodes that are left within an hour. Nothing is moved or repartitioned to make room for it.',
    'Pods that waited then and are gone are unknown, as is what pods without GPUs requested: CPU, memory, taints, tolerations and pods that wait are as they are today.',
    'Disruption budgets of a NodePool, and which machines an autoscaler may end, are not recorded.',
    TODAY,
    ALONE,
    LET_ON,
  ],
} as const satisfies Record<ShadowClass, readonly string[]>

export const shadowNotes = (kind: ShadowClass): readonly string[] => NOTES[kind]
