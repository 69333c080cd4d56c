import { estimateWords } from '@septet/contract/estimate-words'
import { STEP_WORDS } from '@septet/contract/state-words'
import type { actingStop, actionsGet, actionsList, ActionView, OutputOf } from '@septet/contract'
import { duration, plural } from '@septet/domain/words'

import { textTable } from '../report/table.ts'

type List = OutputOf<typeof actionsList>
type Detail = OutputOf<typeof actionsGet>
type Stops = OutputOf<typeof actingStop>['stops']

/** Whether Septet may act, and a row for each action, the newest first. */
export function formatActions({ says, actions, source }: List, now: number): string {
  const rows =
    actions.length === 0
      ? [
          `${source.name} has no actions. Propose one from a recommendation: septet propose actions ID, or the dashboard.`,
        ]
      : textTable(actions, [
          { title: 'Id', text: ({ id }) => id },
          { title: 'State', text: stateText },
          { title: 'Since', text: ({ since }) => `${lasts(since, now)} ago` },
          { title: 'Stops', text: ({ displaced }) => plural(displaced.length, 'pod') },
          { title: 'Saving', text: ({ saving }) => estimateWords(saving) },
          { title: 'Change', text: ({ title }) => title },
        ])
  return joined([...says.map(({ text }) => text), '', ...rows])
}

/** One action with its steps, all that happened, every dry run and every write. */
export function formatAction(detail: Detail, now: number): string {
  const { action, transitions, rehearsals, writes } = detail
  return joined([
    action.title,
    `${stateText(action)} for ${lasts(action.since, now)}: ${action.because}`,
    ...(action.shortfall === null ? [] : [action.shortfall]),
    ...(action.until === null ? [] : [`ends by itself at ${action.until}`]),
    '',
    ...planLines(detail),
    ...undoLines(detail),
    '',
    'History',
    ...transitions.map(
      ({ at, state, by, because, step, evidence }) =>
        `  ${at}  ${state}${step === null ? '' : ` (step ${step})`}  ${because} (${by})${seenIn(evidence)}`,
    ),
    '',
    ...(rehearsals.length === 0 ? [] : ['Dry runs', ...rehearsals.map(writeLine), '']),
    writes.length === 0 ? 'Nothing was written to the cluster.' : 'Writes to the cluster',
    ...writes.map(writeLine),
  ])
}

const writeLine = ({ number, at, what, isUndo, outcome, evidence }: Detail['writes'][number]): string =>
  `  ${number}. ${at}  ${isUndo ? 'undo: ' : ''}${what}  ${outcome === null ? 'no response yet' : outcomeText(outcome)}${seenIn(evidence)}`

/** What an approval allows, to be read before it is given. */
export const actionPlan = (detail: Detail): string => joined([detail.action.title, '', ...planLines(detail)])

/** What an undo would stop now, or has stopped. */
export const undoLines = ({ action, undo: { stops, unknown, stopped } }: Detail): string[] => [
  ...(stops !== null ? [`Undo would stop ${named(stops)}.`] : []),
  ...(stops === null && action.may.undo
    ? [`It is unknown which pods an undo would stop. ${unknown ?? ''}`.trim()]
    : []),
  ...(stopped.length === 0 ? [] : [`The undo stopped ${named(stopped)}.`]),
]

const named = (pods: readonly string[]): string =>
  pods.length === 0 ? 'no pods' : `${plural(pods.length, 'pod')}: ${pods.join(', ')}`

const planLines = ({ action, outlook: { refused, waits }, steps }: Detail): string[] => [
  ...(refused === null ? [] : [`Cannot be approved: ${refused}`]),
  ...(waits === null ? [] : [`Once approved, it waits. ${waits}`]),
  `Id      ${action.id}`,
  `Digest  ${action.digest}`,
  `Stops   ${action.displaced.length === 0 ? 'no pods' : action.displaced.join(', ')}`,
  `Nodes   ${action.nodes.length === 0 ? 'none' : action.nodes.join(', ')}`,
  `Saving  ${estimateWords(action.saving)}`,
  '',
  'Steps',
  ...steps.flatMap(({ number, title, state, seconds, undo }) => [
    `  ${number}. ${title} (${STEP_WORDS[state]})`,
    `     takes ${duration(seconds.low)} to ${duration(seconds.high)}, ${seconds.source}`,
    `     rollback: ${undo.length === 0 ? 'none' : undo.join('; ')}`,
  ]),
]

/** Where an action stands after a decision. */
export const formatDecided = (action: ActionView): string =>
  joined([`${action.id} is ${stateText(action)}: ${action.because}`])

/** Which stops are in force. */
export const formatStops = (stops: Stops): string =>
  joined(
    stops.length === 0
      ? ['Acting is not stopped.']
      : stops.map(
          ({ everywhere, at, by, because }) =>
            `Acting is stopped ${everywhere ? 'on every cluster' : 'on this cluster'} since ${at}, by ${by}: ${because}`,
        ),
  )

function stateText({ state, step, halfChanged, shortfall }: ActionView): string {
  if (halfChanged) return 'failed partway'
  const standing = step === null ? state : `${state}, step ${step.number} of ${step.of}`
  return shortfall === null ? standing : `${standing}, short`
}

/** By what a sentence can be checked. */
const seenIn = (evidence: Detail['transitions'][number]['evidence']): string =>
  ` [${evidence.map(({ says }) => says).join('; ')}]`

const outcomeText = ({ kind, because }: { readonly kind: string; readonly because: string }): string =>
  because === '' ? kind : `${kind}: ${because}`

const lasts = (since: string, now: number): string => duration(Math.max(0, (now - Date.parse(since)) / 1000))

const joined = (lines: readonly string[]): string => `${lines.join('\n')}\n`
