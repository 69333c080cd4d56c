import { grouped } from '@septet/domain/words'

/** A figure with its unit, four digits at most unless it is large. What has no number is “not measured”, never 0. */
export const figureText = (value: number | undefined, unit: string): string =>
  value === undefined ? 'not measured' : `${numberText(value)}${unit === '' ? '' : ` ${unit}`}`

/** Thousands apart, and four significant digits below them. */
const numberText = (value: number): string =>
  Math.abs(value) >= 1000 ? grouped(value, 0) : String(Number(value.toPrecision(4)))
