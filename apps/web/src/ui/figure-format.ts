export { dollars, duration, figureWords, memory, percent, short, wholePercent } from '@septet/contract/figure-words'
export type { FigureWords } from '@septet/contract/figure-words'
