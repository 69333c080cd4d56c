import type {
  actionsList,
  alertsList,
  FiguresOf,
  InputOf,
  recommendationsList,
  RecommendationView,
  Says,
  savingsList,
} from '@septet/contract'
import { say } from '@septet/contract/says'
import { estimateWords, monthlyWords, savedWords } from '@septet/contract/estimate-words'
import { measuredRange, measuredWords } from '@septet/contract/saving-words'
import { agree, plural } from '@septet/domain/words'

import { quoted } from './phrases.ts'

const amountOf = ({ saving }: RecommendationView): number =>
  saving.kind === 'estimated' ? (saving.usdPerMonth ?? 0) : 0

const named = (one: RecommendationView): string => `${quoted(one.title)} (${estimateWords(one.saving)})`

/** How many there are, which is best, and which saves most where all of them are told. */
export function recommendationsSay(
  list: FiguresOf<typeof recommendationsList>,
  { kind }: InputOf<typeof recommendationsList>,
): Says {
  const { recommendations: all, total } = list
  const open = all.filter(({ dismissed }) => dismissed === null)
  const [first] = open
  const what = kind === undefined ? 'recommendation' : `${kind} recommendation`
  if (first === undefined) return [kind === undefined ? noneSay(list) : say(`There is no ${what}.`, 'total')]
  const largest = open.toSorted((a, b) => amountOf(b) - amountOf(a))[0] ?? first
  return [
    say(`There ${agree(total, 'is', 'are')} ${plural(total, what)}.`, 'total'),
    say(`The first is ${named(first)}.`, `recommendations[${all.indexOf(first)}].title`),
    ...(open.length < total
      ? []
      : [say(`The largest saving is ${named(largest)}.`, `recommendations[${all.indexOf(largest)}].saving`)]),
  ]
}

/** That there is none, which means that there is nothing to do only once everything that can be seen is. */
function noneSay({ saves: { billReduced }, dismissed }: FiguresOf<typeof recommendationsList>): Says[number] {
  const { value, because } = billReduced
  if (value === null && because !== null) return say(`No recommendations yet. ${because}`, 'saves.billReduced')
  const rest =
    dismissed === 0 ? '' : ` ${plural(dismissed, 'recommendation')} ${agree(dismissed, 'is', 'are')} dismissed.`
  return say(`Nothing to do: no waste with solid evidence, and no waiting workload could start.${rest}`, 'total')
}

type Column = FiguresOf<typeof savingsList>['ledger']['billReduced']

/** What was measured, the bill and the capacity apart, beside what was estimated for the same hours. */
export const savingsSay = ({ ledger }: FiguresOf<typeof savingsList>): Says => [
  ...columnSays(ledger.billReduced, 'Saved on the bill', 'ledger.billReduced'),
  ...columnSays(ledger.capacityFreed, 'Capacity freed', 'ledger.capacityFreed'),
]

const columnSays = ({ realized, estimated }: Column, what: string, place: string): Says => [
  say(`${what}: ${realized === null ? 'nothing verified yet' : realizedWords(realized)}.`, place),
  ...(estimated === null
    ? []
    : [
        say(
          `${plural(estimated.runs, 'more action')} ${agree(estimated.runs, 'is', 'are')} estimated at ${monthlyWords(estimated)}.`,
          `${place}.estimated`,
        ),
      ]),
]

function realizedWords(realized: NonNullable<Column['realized']>): string {
  const { promised, unknownHours, runs } = realized
  const range = measuredRange(realized)
  const sure = range === undefined ? '' : ` (${range})`
  const beside = promised === null ? '' : `, estimated ${savedWords(promised)} for the same hours`
  const unknown = unknownHours === 0 ? '' : `, ${plural(unknownHours, 'hour')} unknown`
  return `${measuredWords(realized)}${sure} measured over ${plural(runs, 'action')}${beside}${unknown}`
}

/** Whether Septet may act, and what waits for an approval. */
export function actionsSay(
  { acting, actions }: FiguresOf<typeof actionsList>,
  { limit }: InputOf<typeof actionsList>,
): Says {
  const count = actions.filter(({ may }) => may.approve).length
  const least = actions.length < limit ? '' : 'at least '
  return [
    say(acting.because, 'acting'),
    say(
      count === 0 && least === ''
        ? 'No action waits for approval.'
        : `${least}${plural(count, 'action')} ${agree(count, 'waits', 'wait')} for approval.`,
      'actions',
    ),
  ]
}

/** What is firing, in the words of each alert. */
export function alertsSay({ note, total, firing }: FiguresOf<typeof alertsList>): Says {
  if (note !== null) return [say(note, 'note')]
  if (total === 0) return [say('No alert is firing.', 'total')]
  return [
    say(`${plural(total, 'alert')} ${agree(total, 'is', 'are')} firing.`, 'total'),
    ...firing.slice(0, 3).map(({ title, message }, order) => say(`${title}: ${message}`, `firing[${order}]`)),
  ]
}
