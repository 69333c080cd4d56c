import type { FigureView } from '@septet/contract'
import { figureInWords } from '@septet/contract/figure-words'

/** A figure as the screen writes it, unit and all. */
export function sayFigure(figure: Pick<FigureView, 'value' | 'unit'>): string {
  const { value, unit } = figureInWords(figure)
  return `${value}${unit}`
}

const DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const MINUTE = new Intl.DateTimeFormat('en-US', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

/** "Nov 25, 21:28 UTC": a report is read in more than one time zone. */
export const momentWords = (iso: string): string => `${shortMoment(iso, false)} UTC`

/** "Nov 25", or "Nov 25, 21:28". */
export function shortMoment(iso: string, isDay: boolean): string {
  const at = new Date(iso)
  return isDay ? DAY.format(at) : `${DAY.format(at)}, ${MINUTE.format(at)}`
}
