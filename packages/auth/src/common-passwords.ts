/**
 * Whether a password is one that many people have, or two in a row, with little around it: `liverpool2019`, `l1verp00l!`,
 * `letmeinplease`. Guessers try just those. Words in a phrase are on the list as well, so from three on they are fine.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const lower = password.toLowerCase()
  if (lower.length > LONGEST) return false
  const known = await commonPasswords()
  return known.has(lower) || [lower, withLetters(lower)].some((text) => isFewKnown(text, known))
}

/** Characters; whoever types more has not chosen what everyone has. */
const LONGEST = 64
/** Least characters that make a word: shorter ones on the list are in almost everything. */
const SHORTEST_WORD = 4
const MOST_WORDS = 2
/** Digits and signs around the words that add next to nothing, as years do. */
const MOST_AROUND = 6

let loading: Promise<ReadonlySet<string>> | undefined

/** Read when somebody first chooses a password: 49,000 words, which a start need not wait for. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']))
  return loading
}

function isFewKnown(text: string, known: ReadonlySet<string>): boolean {
  const words = text.split(/[^\p{L}]+/u).filter((part) => part !== '')
  const around = text.replaceAll(/\p{L}/gu, '').length
  if (words.length === 0 || around > MOST_AROUND) return false
  const pieces = words.reduce((sum, word) => sum + fewestPieces(word, known), 0)
  return pieces <= MOST_WORDS
}

/** How few words of the list a text can be put together from; Infinity when it cannot. */
function fewestPieces(text: string, known: ReadonlySet<string>): number {
  const fewest = [0]
  for (let end = 1; end <= text.length; end++) {
    let least = Infinity
    for (let start = 0; start <= end - SHORTEST_WORD; start++) {
      const before = fewest[start] ?? Infinity
      if (before < least && known.has(text.slice(start, end))) least = before + 1
    }
    fewest.push(least)
  }
  return fewest[text.length] ?? Infinity
}

/** Signs between letters, read as the letters that they stand for. */
const withLetters = (text: string): string =>
  text.replaceAll(/[@$0134578]/gu, (sign, at: number) => (isAmongLetters(text, at) ? (SIGNS.get(sign) ?? sign) : sign))

/** Digits at an end are a year or a count, not letters. */
const isAmongLetters = (text: string, at: number): boolean =>
  /\p{L}/u.test(text.slice(0, at)) && /\p{L}/u.test(text.slice(at + 1))

export const SIGNS: ReadonlyMap<string, string> = new Map([
  ['@', 'a'],
  ['4', 'a'],
  ['8', 'b'],
  ['3', 'e'],
  ['1', 'i'],
  ['0', 'o'],
  ['$', 's'],
  ['5', 's'],
  ['7', 't'],
])
