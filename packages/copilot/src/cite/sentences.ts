/** Where a sentence may end. What follows may begin with a small letter: names do. */
const END = /[.!?]["”’')\]]*\s+|\n+/gu
/** Periods after these end nothing. */
const ABBREVIATED = /(?:^|\s)(?:e\.g|i\.e|vs|approx|no|incl|excl|etc|cf)\.\s*$/iu

/** Takes text in pieces and gives its sentences, each as soon as it ends. */
export function sentenceReader(): { read(piece: string): readonly string[]; end(): readonly string[] } {
  let rest = ''
  const take = (): readonly string[] => {
    const whole: string[] = []
    let from = 0
    for (const { 0: end, index } of rest.matchAll(END)) {
      const sentence = rest.slice(from, index + end.length)
      if (ABBREVIATED.test(sentence) && !end.includes('\n')) continue
      whole.push(sentence)
      from = index + end.length
    }
    rest = rest.slice(from)
    return whole
  }
  return {
    read(piece) {
      rest += piece
      return said(take())
    },
    end() {
      const all = [...take(), rest]
      rest = ''
      return said(all)
    },
  }
}

const said = (sentences: readonly string[]): readonly string[] =>
  sentences.map(plain).filter((sentence) => /[\p{L}\d]/u.test(sentence))

/** Without marks of lists, code and emphasis, which models add whatever they are told. */
const plain = (sentence: string): string =>
  sentence
    .replace(/^\s*(?:[-*•]\s+|\d{1,2}[.)]\s+|#{1,6}\s+|>\s+)/u, '')
    .replaceAll(/\*\*|__/gu, '')
    .replaceAll('`', '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
