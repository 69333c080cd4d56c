import { boardFor, heroBound, heroFigures, heroPlan, ratio, shippedPrices } from '@septet/domain'

import { hashedFile } from '../hashed-file.ts'
import type { HeroProps } from '../islands/Hero.tsx'
import {
  LEAD,
  MINUTES_PER_TICK,
  OPENING,
  pictureAt,
  POSITIONS,
  SPAN,
  TICKS,
  type TapeFigures,
  type HeroMix,
  type HeroTape,
} from '../islands/hero-tape.ts'

const MODEL = 'A100-SXM4-80GB'
const WORKLOAD = { seed: 172, board: knownBoard(), voices: 12 }
/** Halfway: what the claims stand by, not a best case. */
const POSITION = (POSITIONS - 1) / 2
const END = OPENING + TICKS * MINUTES_PER_TICK + SPAN + LEAD

/** What the planner answers for every position of the slider, planned when the site is built. */
function recordHero(): HeroTape {
  const plans = Array.from({ length: POSITIONS }, (_, position) =>
    heroPlan({ ...WORKLOAD, mix: ratio(position / (POSITIONS - 1)) }, END),
  )
  // The times are the same in every mix. What has ended before the tape begins is never seen.
  const seen = (plans[0]?.whole ?? []).filter(({ until }) => until > OPENING)
  const ids = new Set(seen.map(({ id }) => id))
  return {
    // A tenth of a minute is less than a pixel; the page need not carry more.
    jobs: seen.map(({ from, until, busy, gpu }) => [rounded(from, 1), rounded(until, 1), rounded(busy, 2), gpu]),
    mixes: plans.map(({ whole, mig }) => ({
      jobs: mig
        .filter(({ id }) => ids.has(id))
        .map(({ name, slices, gpu, start, size }) => [name, slices, gpu, start, size]),
      figures: changes(Array.from({ length: TICKS }, (_, tick) => figuresAt(whole, mig, tick))),
    })),
  }
}

type Notes = Parameters<typeof heroFigures>[0]

function figuresAt(whole: Notes, mig: Notes, tick: number): TapeFigures {
  const from = OPENING + tick * MINUTES_PER_TICK
  const window = { from, to: from + SPAN }
  const row = (notes: Notes): TapeFigures['whole'] => {
    const { gpus, busy } = heroFigures(notes, window, WORKLOAD.board)
    return { gpus, busy: busy === undefined ? undefined : Math.round(busy * 100) }
  }
  return {
    workloads: mig.filter((note) => note.until > window.from && note.from < window.to).length,
    bound: heroBound(mig, window, WORKLOAD.board),
    whole: row(whole),
    mig: row(mig),
  }
}

/** Without those that are the same as a tick before. */
function changes(figures: readonly TapeFigures[]): HeroMix['figures'] {
  const texts = figures.map((each) => JSON.stringify(each))
  return figures.flatMap((each, tick) => (texts[tick] === texts[tick - 1] ? [] : [[tick, each] as const]))
}

export const HERO_TAPE = recordHero()

/** The tape as a file of the build, which the page loads once it is idle. */
export const HERO_FILE = await hashedFile('hero', JSON.stringify(HERO_TAPE))

/** What the hero starts from: the tape's first picture, in the page itself. */
export const heroOpening = (): HeroProps => ({
  tape: HERO_FILE.path,
  position: POSITION,
  opening: pictureAt(HERO_TAPE, POSITION, 0),
  price: heroPrice().price,
})

/** The list price that the hero counts with, and whose it is. */
export function heroPrice(): { readonly price: number; readonly source: string; readonly asOf: string } {
  const entry = shippedPrices.find(({ model }) => model === MODEL)
  if (entry === undefined) throw new Error(`no list price for ${MODEL} is known`)
  const { price, source, asOf } = entry
  // Seller, region and machine; where the list is from has no room on one line of a phone.
  const seller = source.split(' (')[0] ?? source
  return { price, source: seller, asOf: new Date(asOf).toISOString().slice(0, 10) }
}

function knownBoard() {
  const board = boardFor(MODEL)
  if (board === undefined) throw new Error(`${MODEL} is not among the known boards`)
  return board
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals))
}
