/** A measured number for people: thousands apart, four significant digits below them. */
export const figureText = (value: number): string =>
  Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(4)))
