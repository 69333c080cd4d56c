import { type PriceOf, pricesOf } from '../../cost/prices-of.ts'
import { learnFleetOverrun } from '../../plan/right-size/learn-fleet-overrun.ts'
import { LEAST_IDLE_OF_WEEK, RELEASABLE } from '../../plan/recommend/reclaim-idle.ts'
import { compareText, instant, type Instant } from '../../units.ts'
import { adviseAt, type Advised } from './advise-then.ts'
import { recordedWork, type RecordedWork } from './recorded-work.ts'
import type { ShadowMonth, ShadowQuestion } from './shadow.ts'
import { ShadowAuto } from './shadow-auto.ts'
import { totalsOf } from './shadow-totals.ts'

const HOUR_MS = 3_600_000

/** How far a replay has come: the hour that was decided last, of how many. */
export type ShadowProgress = (done: number, of: number) => void

/**
 * Replays recorded hours through what proposes on auto, and says what it would have done with idle work. At the end of each
 * hour it is asked what the rule would recommend, from rows that had ended by then and nothing later; of that what no
 * guardrail refuses is taken to be proposed, its owner warned, and at the first whole hour after the warning stopped, where
 * the rule still says so. From then on its rows are no longer seen, until it works again. The same history and policy give
 * the same answer, in whatever order the rows come.
 */
export function shadowMonth(question: ShadowQuestion, progress: ShadowProgress = () => undefined): ShadowMonth {
  const { window, rules } = question
  const priceOf = pricesThrough(question)
  const works = recordedWork(question.rows, { threshold: rules.analysis.idle.threshold, priceOf }).filter(isStoppable)
  const recorded = question.recorded.toSorted((a, b) => a - b)
  const [first] = recorded
  const auto = new ShadowAuto(question, { recorded, priceOf })
  const began = Math.max(window.from, Math.floor((first ?? window.to) / HOUR_MS) * HOUR_MS)
  const hours = Math.max(0, Math.floor((window.to - began) / HOUR_MS))
  const asked = { ...question, began: instant(began), overrun: learnFleetOverrun([]) }
  for (let hour = 1; hour <= hours; hour += 1) {
    const now = instant(began + hour * HOUR_MS)
    auto.turn(now, advisedAt(now, works, { auto, asked }))
    progress(hour, hours)
  }
  const { actions, withdrawn, heldBack } = auto.told()
  return {
    class: 'reclaim-idle',
    recorded: first === undefined ? undefined : { from: instant(began), to: window.to },
    actions,
    withdrawn,
    heldBack,
    totals: totalsOf(actions),
  }
}

/** What only its owner can end is recommended, and never on auto. */
const isStoppable = ({ id }: RecordedWork): boolean => RELEASABLE.has(id.split('/')[1] ?? '')

type Asking = { readonly auto: ShadowAuto; readonly asked: Parameters<typeof adviseAt>[2] }

/** What is recommended at a moment, best first. */
function advisedAt(now: Instant, works: readonly RecordedWork[], { auto, asked }: Asking): readonly Advised[] {
  return works
    .flatMap((work) => {
      // Cheap, and true of nearly all work nearly all the time.
      if (auto.isStopped(work.id, now) || work.idleHoursUpTo(now) < LEAST_IDLE_OF_WEEK) return []
      const seen = { work, stopped: auto.stretchesOf(work.id), before: auto.adviceBefore(work.id) }
      return adviseAt(now, seen, asked) ?? []
    })
    .toSorted(({ advice: a }, { advice: b }) => b.rank - a.rank || compareText(a.id, b.id))
}

/** Prices of any hour; of a node that is gone as of its pool today. */
const pricesThrough = ({ cluster, prices, today, window }: ShadowQuestion): PriceOf =>
  pricesOf(prices, { cluster, nodes: today.nodes, at: window.to })
