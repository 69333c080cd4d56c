/** A number of a column that is known to be there; 0 beyond its end. */
export const numberAt = (column: ArrayLike<number>, place: number): number => column[place] ?? 0
