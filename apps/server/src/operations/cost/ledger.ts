import { invalidInput, type costLedger, type FiguresOf, type InputOf } from '@septet/contract'
import {
  COST_PARTS,
  costPeriods,
  daysTouching,
  hoursOf,
  instant,
  monthsTouching,
  offerOfMachine,
  pricesOf,
  shippedPrices,
  SPAN_SECONDS,
  spanOfRange,
  toMillionths,
  type CostedTotal,
  type PriceBook,
  type Store,
  type Window,
} from '@septet/domain'

import type { ClusterFacts, Namespaces } from '../../facts.ts'
import { planBy, storedContext } from '../../usage/range-plan.ts'
import { readPeriods } from '../../usage/read-totals.ts'
import type { AnswersOf } from '../answering/answering.ts'
import { answeredOver, upTo } from '../answering/source.ts'
import { isoOf } from '../answering/view.ts'

type Ledger = FiguresOf<typeof costLedger>
type Line = Ledger['lines'][number]
type Needs = { readonly store: Pick<Store, 'usage' | 'prices'>; readonly now: () => number }

/** A month of some hundred groups by the hour; more would be more than a file that anybody loads. */
const MOST_LINES = 400_000

/** The hours or days that every figure of money is a sum over. */
export const ledgerAnswers = ({ store, now }: Needs): AnswersOf<'costLedger'> => ({
  async costLedger(facts, input, { caller: { namespaces } }) {
    // Charges are told by the second.
    const at = instant(Math.floor(now() / 1000) * 1000)
    const window = upTo(spanOfRange(input.range, at), at)
    const lines = await readLines(facts, { ...input, window, namespaces, now: at }, store)
    return { ...answeredOver(facts, { range: input.range, window, madeAt: at }), step: input.step, lines }
  },
})

type Asked = Pick<InputOf<typeof costLedger>, 'step' | 'zone'> & {
  readonly window: Window
  readonly namespaces: Namespaces | undefined
  readonly now: ReturnType<typeof instant>
}

async function readLines(facts: ClusterFacts, asked: Asked, store: Needs['store']): Promise<Line[]> {
  const { step, zone, window, namespaces, now } = asked
  const cluster = facts.record.id
  const context = await storedContext(store.usage, { cluster, now })
  const book: PriceBook = [...(await store.prices.list()), ...shippedPrices]
  const priceOf = pricesOf(book, { cluster, nodes: facts.picture()?.nodes ?? [], at: now })
  const lines: Line[] = []
  for (const piece of piecesOf(step, zone, window)) {
    const plan = planBy(piece, '1h', context)
    // oxlint-disable-next-line no-await-in-loop -- a month at a time, so that the database serves others in between
    const periods = await readPeriods(store.usage, {
      cluster,
      book,
      plan,
      namespaces,
      by: step === 'hour' ? ['at', ...GROUPS] : GROUPS,
      stepSeconds: SPAN_SECONDS['1h'],
    })
    for (const total of costPeriods(periods, priceOf)) {
      // One by one: so many arguments as a month has lines no call takes.
      for (const line of linesOf(total, piece)) lines.push(line)
    }
    if (lines.length > MOST_LINES) {
      throw invalidInput(
        `The ledger of this range has more than ${MOST_LINES} lines.`,
        step === 'hour' ? 'Ask for a shorter range, or for days with step=day.' : 'Ask for a shorter range.',
      )
    }
  }
  return lines
}

const GROUPS = ['kind', 'pool', 'model', 'machine', 'namespace'] as const

/** A bill is of one month: no line lies in two. */
function piecesOf(step: Asked['step'], zone: string, window: Window): readonly Window[] {
  const whole = step === 'hour' ? monthsTouching(zone, window) : daysTouching(zone, window).map((day) => day.window)
  return whole.flatMap(({ from, to }) => {
    const part = { from: instant(Math.max(from, window.from)), to: instant(Math.min(to, window.to)) }
    return part.to > part.from ? [part] : []
  })
}

function linesOf({ total, split, perSecond }: CostedTotal, piece: Window): Line[] {
  const { at, namespace = '', model = '', pool = '', machine = '' } = total.key
  const { capacity = '', ...offer } = offerOfMachine(machine)
  const from = at === undefined ? piece.from : Math.max(Number(at), piece.from)
  const to = at === undefined ? piece.to : Math.min(Number(at) + SPAN_SECONDS['1h'] * 1000, piece.to)
  const place = { from: isoOf(instant(from)), to: isoOf(instant(to)), namespace, model, pool, ...offer, capacity }
  return COST_PARTS.flatMap((part, order) => {
    const seconds = split[order] ?? 0
    if (seconds === 0) return []
    return {
      ...place,
      part,
      gpuHours: hoursOf(seconds),
      usdPerGpuHour: perSecond === undefined ? null : Math.round(perSecond * 3600 * 1e9) / 1e9,
      usd: perSecond === undefined ? null : toMillionths(seconds * perSecond),
    }
  })
}
