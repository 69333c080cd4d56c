import { receiptFigure } from './receipts.ts'

/**
 * Content with its figures: `{{receipt | figure}}` is the number that the receipt has, `baseline` what stands beside it, and
 * `saved` by how many per cent it is below that; a number after them gives the decimals. `≤ 5 ? one : other` chooses words.
 * A receipt or figure that is gone stops the build with its name.
 */
export const filled = <Content>(content: Content): Content =>
  JSON.parse(JSON.stringify(content, (_key, value: unknown) => (typeof value === 'string' ? fill(value) : value)))

const fill = (text: string): string =>
  text.replaceAll(/\{\{(.+?)\}\}/gu, (_all, inside: string) => {
    const [receipt = '', name = '', how = ''] = inside.split(' | ')
    return figureText(receiptFigure(receipt, name), how)
  })

function figureText({ figure, ...rest }: ReturnType<typeof receiptFigure>, how: string): string {
  const [, sign, limit, met = '', missed = ''] = /^([≤>]) (\d+) \?(.*):(.*)$/u.exec(how) ?? []
  if (sign !== undefined) return (figure > Number(limit) === (sign === '>') ? met : missed).trim()
  const [known, of, decimals] = /^(baseline|saved)? ?(\d?)$/u.exec(how) ?? []
  if (known === undefined) throw new Error(`“${rest.name}” is asked for as “${how}”`)
  const value = of === undefined ? figure : of === 'saved' ? 100 * (1 - figure / baselineOf(rest)) : baselineOf(rest)
  return amount(value, Number(decimals))
}

function baselineOf({ name, baseline }: Omit<ReturnType<typeof receiptFigure>, 'figure'>): number {
  if (baseline?.figure === undefined) throw new Error(`The receipt of “${name}” gives it no baseline`)
  return baseline.figure
}

/** A number as the site writes it: thousands apart, as many decimals as asked for. */
const amount = (value: number, decimals: number): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })

/** The row of a table that content names. One that is not there stops the build. */
export function namedEntry<Row>(table: Readonly<Record<string, Row>>, name: string): Row {
  const row = table[name]
  if (row === undefined) throw new Error(`content names “${name}”, which is not among ${Object.keys(table).join(', ')}`)
  return row
}
