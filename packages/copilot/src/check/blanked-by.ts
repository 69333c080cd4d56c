/** A text with blanks in the place of matches that are meant, as long as it was. */
export const blankedBy = (text: string, pattern: RegExp, isMeant: (match: string) => boolean): string =>
  text.replaceAll(pattern, (match) => (isMeant(match) ? ' '.repeat(match.length) : match))
