import { listed, wholePercent } from '@septet/domain/words'

import { drawLook } from './looks.ts'
import type { Paper } from './paper.ts'
import type { SpendPart } from './spend.ts'
import type { TagBox } from './tags.ts'

type Drawn = Pick<SpendPart, 'look' | 'drawn'>

/** A bar that is divided as GPU time was, to scale, in the colors and textures of the screen. */
export function drawParts(paper: Paper, parts: readonly Drawn[], box: TagBox): void {
  const gap = box.height > 12 ? 1.2 : 0.6
  let { x } = box
  for (const { look, drawn } of parts) {
    const width = drawn * box.width
    if (width > 0) drawLook(paper, look, { ...box, x, width: Math.max(0.8, width - gap) })
    x += width
  }
}

/** The same in words. */
export const partsText = (parts: readonly SpendPart[]): string =>
  listed(
    parts.map(({ name, amount, share }) =>
      amount === undefined ? `${name} not measured` : `${name} ${wholePercent(share)}`,
    ),
  )
