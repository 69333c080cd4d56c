import { grouped } from '@septet/domain/words'

/** A figure with its unit, four digits at most unless it is large. What has no number is “not measured”, never 0. */
export const figureText = (value: number | undefined, unit: string): string =>
  value === undefined ? 'not measured' : `${numberText(value)}${unitText(value, unit)}`

/** Per cent without a space, as everywhere on the site; one of what is counted is not several. */
function unitText(value: number, unit: string): string {
  if (unit === '' || unit.startsWith('%')) return unit
  return ` ${value === 1 && COUNTED.has(unit) ? unit.replace(/(?<=ss)es$|s$/u, '') : unit}`
}

const COUNTED: ReadonlySet<string> = new Set(
  'appointments boards cases changes checks cores events faults files flaws GPUs instances jobs lines models pods processes requests rows samples steps workloads'.split(
    ' ',
  ),
)

/** Thousands apart, and four significant digits below them. */
const numberText = (value: number): string =>
  Math.abs(value) >= 1000 ? grouped(value, 0) : String(Number(value.toPrecision(4)))
