import { boardFor, heroStream, ratio, shippedPrices, type HeroNote } from '@septet/domain'

import type { HeroProps } from '../islands/Hero.tsx'
import { LEAD, OPENING, pictureOf, SPAN } from '../islands/hero-picture.ts'

const MODEL = 'A100-SXM4-80GB'
const SEED = 172
const VOICES = 12
const MIX = 0.5

/** What the hero starts from, planned when the site is built: the browser draws the same and goes on from there. */
export function heroOpening(): HeroProps {
  const board = boardFor(MODEL)
  if (board === undefined) throw new Error(`${MODEL} is not among the known boards`)
  const stream = heroStream({ seed: SEED, board, voices: VOICES, mix: ratio(MIX), keep: SPAN + LEAD })
  const picture = pictureOf(stream.advance(OPENING + SPAN + LEAD), OPENING, board)
  const opening = {
    ...picture,
    whole: { ...picture.whole, notes: picture.whole.notes.map(short) },
    mig: { ...picture.mig, notes: picture.mig.notes.map(short) },
  }
  return { seed: SEED, board, voices: VOICES, mix: MIX, price: heroPrice().price, opening }
}

/** The list price that the hero counts with, and whose it is. */
export function heroPrice(): { readonly price: number; readonly source: string; readonly asOf: string } {
  const entry = shippedPrices.find(({ model }) => model === MODEL)
  if (entry === undefined) throw new Error(`no list price for ${MODEL} is known`)
  const { price, source, asOf } = entry
  // Seller, region and machine; where the list is from has no room on one line of a phone.
  const seller = source.split(' (')[0] ?? source
  return { price, source: seller, asOf: new Date(asOf).toISOString().slice(0, 10) }
}

/** A tenth of a minute is less than a pixel; the page need not carry more. */
const short = (note: HeroNote): HeroNote => ({
  ...note,
  from: Number(note.from.toFixed(1)),
  until: Number(note.until.toFixed(1)),
  busy: ratio(Number(note.busy.toFixed(3))),
})
