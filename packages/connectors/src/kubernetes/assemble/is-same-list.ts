/** Whether two lists hold the very same things in the same order. */
export const isSameList = <Item>(a: readonly Item[], b: readonly Item[]): boolean =>
  a === b || (a.length === b.length && a.every((item, at) => item === b[at]))
