import type { FigureView } from '@septet/contract'
import { figureWords } from '@septet/contract/figure-words'

/** A figure as the screen writes it, unit and all. */
export function say(figure: Pick<FigureView, 'value' | 'unit'>): string {
  const { value, unit } = figureWords(figure)
  return `${value}${unit}`
}

/** An instant, to the minute, in UTC: a report is read in more than one time zone. */
export const moment = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`

export const windowWords = (window: { readonly from: string; readonly to: string } | null): string =>
  window === null ? 'a fixed week and month of sample data' : `${moment(window.from)} to ${moment(window.to)}`
