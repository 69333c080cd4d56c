import { meantWords } from '@septet/domain/words'

import { FIGURES, STATES, SUBJECTS } from './vocabulary.ts'

/** Words of the bar that somebody may have meant. */
export const meantBy = (word: string): readonly string[] => meantWords(word, WORDS)

const WORDS = [
  ...Object.values(SUBJECTS).map(({ many }) => many),
  ...Object.values(FIGURES).map(({ title }) => title.toLowerCase()),
  ...Object.keys(STATES),
  ...'utilization yesterday today between compared longest'.split(' '),
].filter((text) => !text.includes(' '))
