import { shortHolder } from '../../ui/slice-words.ts'
import type { Spot, Drawing } from './drawing.ts'
import { CODE } from './fleet-picture.ts'
import { numberAt } from './number-at.ts'

const LABEL_FONT = '500 11px "Geist Mono", ui-monospace, monospace'
const CHARACTER = 6.65
const PADDING = 12

/** Profile and workload of a block, or the workload, or the profile, or nothing: whole words only. */
export function drawLabel({ paint, picture, palette }: Drawing, block: number, at: Spot): void {
  const code = numberAt(picture.kind, block)
  const text = code === CODE.stranded ? undefined : labelThatFits(picture, block, at.width)
  if (text === undefined) return
  const share = code === CODE.busy ? Math.min(1, Math.max(0, numberAt(picture.busy, block)) / 1000) : 0
  // In the larger part of the block, the solid or the empty one, so that no edge runs through it.
  const onFill = share >= 0.5
  const middle = at.y + (onFill ? at.height - (share * at.height) / 2 : ((1 - share) * at.height) / 2)
  const left = at.x + PADDING / 2
  const ground = palette.grounds[code]
  if (ground !== undefined) {
    paint.fillStyle = ground
    paint.fillRect(left - 4, middle - 8, text.length * CHARACTER + 8, 16)
  }
  paint.font = LABEL_FONT
  paint.textBaseline = 'middle'
  paint.textAlign = 'left'
  paint.fillStyle = onFill ? palette.onBusy : (palette.inks[code] ?? palette.ink)
  paint.fillText(text, left, middle + 0.5)
}

function labelThatFits({ frame, now }: Drawing['picture'], block: number, width: number): string | undefined {
  const full = now.holders[now.blocks.holder[block] ?? -1]
  const holder = full === undefined ? undefined : shortHolder(full)
  const profile = frame.profiles[frame.blocks.profile[block] ?? -1]
  const both = profile !== undefined && holder !== undefined ? `${profile} ${holder}` : undefined
  return [both, holder, profile].find((text) => text && text.length * CHARACTER + PADDING <= width)
}
