import { recordOf } from '../../analyze/field-values.ts'
import { pricesOf, type PriceOf } from '../../cost/prices-of.ts'
import { addedUp, sum } from '../../plan/recommend/recorded-work.ts'
import { HOUR_MS, instant } from '../../units.ts'
import { Replay } from '../replay.ts'
import { REPLAYS } from './replays.ts'
import {
  isWrong,
  SHADOW_OUTCOMES,
  type ShadowAction,
  type ShadowMonth,
  type ShadowQuestion,
  type ShadowTotals,
} from './shadow.ts'
import { ShadowAuto } from './shadow-auto.ts'

/** How far a replay has come: the hour that was decided last, of how many. */
export type ShadowProgress = (done: number, of: number) => void

/**
 * Replays recorded hours through what proposes on auto, and says what it would have done with one class of action. At the
 * end of each hour it is asked what the rule would recommend, from rows that had ended by then and nothing later; of that
 * what no guardrail refuses is taken to be proposed and done, a stop at the first whole hour after its owner was warned,
 * where the rule still says so. The same history and policy give the same answer, in whatever order the rows come.
 */
export function shadowMonth(question: ShadowQuestion, progress: ShadowProgress = () => undefined): ShadowMonth {
  const { window, since = window.from } = question
  const priceOf = pricesThrough(question)
  const recorded = question.recorded.toSorted((a, b) => a - b)
  const [first] = recorded
  const began = instant(Math.max(since, Math.floor((first ?? window.to) / HOUR_MS) * HOUR_MS))
  const from = instant(Math.max(window.from, began))
  const hours = Math.max(0, Math.floor((window.to - from) / HOUR_MS))
  const rule = REPLAYS[question.class].rule({ question, recorded, priceOf, began })
  const auto = new ShadowAuto(question, { rule, priceOf })
  const replay = new Replay(
    { comesAt: (hour) => from + (hour + 1) * HOUR_MS, until: window.to },
    {
      came(hour, now) {
        auto.turn(instant(now))
        progress(hour + 1, hours)
      },
    },
  )
  replay.advance()
  const { actions, withdrawn, heldBack } = auto.told()
  return {
    class: question.class,
    recorded: first === undefined ? undefined : { from, to: window.to },
    actions,
    withdrawn,
    heldBack,
    totals: totalsOf(actions),
  }
}

/** Prices of any hour; of a node that is gone as of its pool today. */
const pricesThrough = ({ cluster, prices, today, window }: ShadowQuestion): PriceOf =>
  pricesOf(prices, { cluster, nodes: today.nodes, at: window.to })

/** What all of them come to. Money is of what has a price, and unknown where nothing has one. */
function totalsOf(actions: readonly ShadowAction[]): ShadowTotals {
  return {
    objects: new Set(actions.map(({ object }) => object)).size,
    wrong: sum(actions, ({ outcome }) => Number(isWrong(outcome))),
    ...addedUp(actions.map(({ freed }) => freed)),
    unknownHours: sum(actions, ({ freed }) => freed.unknownHours),
    outcomes: recordOf(SHADOW_OUTCOMES, (kind) => sum(actions, ({ outcome }) => Number(outcome.kind === kind))),
  }
}
