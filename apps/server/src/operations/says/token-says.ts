import type { costTokens, FiguresOf, InputOf, Says } from '@septet/contract'
import { say } from '@septet/contract/says'
import { agree, cents, perMillionTokens, plural, short } from '@septet/domain/words'

import { over, quoted } from './phrases.ts'

type TokenCost = FiguresOf<typeof costTokens>
type Total = NonNullable<TokenCost['total']>

/** How many tokens were served, what a million of them cost on both bases, what was idle, and what nobody counted. */
export function tokensSay(answer: TokenCost, { range }: Pick<InputOf<typeof costTokens>, 'range'>): Says {
  const { total, unread, notes } = answer
  if (unread !== null) return [say(`${over(range)}, what tokens cost is unknown: ${unread}`, 'unread')]
  return [
    ...(total === null
      ? [say(`${over(range)}, no inference engine of a known workload counted tokens.`, 'total')]
      : [...totalSays(total, over(range)), ...dearestSays(answer)]),
    ...asideSays(answer),
    ...(total?.because ?? []).map((because, order) => say(because, `total.because[${order}]`)),
    ...notes.map((note, order) => say(note, `notes[${order}]`)),
  ]
}

function totalSays({ tokens, workloads, idle, allocated, usdPerMillion }: Total, when: string): Says {
  const known = [
    tokens.prompt === null ? undefined : `${short(tokens.prompt)} read`,
    tokens.generation === null ? undefined : `${short(tokens.generation)} written`,
  ].filter((words) => words !== undefined)
  const counted = known.length === 0 ? 'an unknown number of tokens' : known.join(' and ')
  const [held, busy] = [usdPerMillion.allocated.total, usdPerMillion.busy.total]
  const busyWords = busy === null ? 'by busy time it is unknown' : `by busy time ${perMillionTokens(busy)}`
  return [
    say(`${when}, inference engines of ${plural(workloads, 'workload')} counted tokens: ${counted}.`, 'total.tokens'),
    held === null
      ? say('What a million tokens cost is unknown.', 'total.usdPerMillion.allocated.total')
      : say(
          `A million tokens cost ${perMillionTokens(held)} by all GPU time held; ${busyWords}.`,
          'total.usdPerMillion.allocated.total',
          'total.usdPerMillion.busy.total',
        ),
    ...(idle.usd === null || allocated.usd === null
      ? []
      : [
          say(
            `Of the ${cents(allocated.usd)} that their GPUs cost, ${cents(idle.usd)} was held idle.`,
            'total.idle.usd',
            'total.allocated.usd',
          ),
        ]),
  ]
}

/** Of one group nothing more is said than of all. */
function dearestSays({ groups, by }: TokenCost): Says {
  const rated = groups.flatMap(({ key, kind, usdPerMillion: { allocated } }, order) =>
    allocated.total === null || kind === 'none' ? [] : [{ key, rate: allocated.total, order }],
  )
  const [dearest] = rated.toSorted((a, b) => b.rate - a.rate)
  return dearest === undefined || rated.length < 2
    ? []
    : [
        say(
          `A million tokens cost the most in ${by} ${quoted(dearest.key)}: ${perMillionTokens(dearest.rate)} by all GPU time held.`,
          `groups[${dearest.order}].usdPerMillion.allocated.total`,
        ),
      ]
}

/** What stands beside the figures. */
function asideSays({ withoutWorkload, uncounted }: TokenCost): Says {
  const { workloads, gpuHours } = uncounted
  return [
    ...(withoutWorkload === null
      ? []
      : [
          say(
            `${withoutWorkload.tokens.total === null ? 'Some' : short(withoutWorkload.tokens.total)} tokens come from pods that are not known to have held a GPU; they are in no rate.`,
            'withoutWorkload.tokens.total',
          ),
        ]),
    ...(workloads === 0
      ? []
      : [
          say(
            `${plural(workloads, 'inference workload')} that held ${gpuHours.toFixed(1)} GPU-h ${agree(workloads, 'counts', 'count')} no tokens that the metrics engine knows of.`,
            'uncounted.workloads',
          ),
        ]),
  ]
}
