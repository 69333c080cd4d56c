/** A table's row for a word that came from outside: `toString` and its like are in no table. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, word: string | undefined): T | undefined =>
  word !== undefined && Object.hasOwn(table, word) ? table[word] : undefined
