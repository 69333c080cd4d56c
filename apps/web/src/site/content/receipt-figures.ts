/**
 * Measured figures, read from the receipts when the site is built, so that a page cannot say a number that its receipt
 * does not. A receipt or figure that is gone stops the build with its name.
 */
const FILES = import.meta.glob<unknown>('../../../../../docs/receipts/*.json', { eager: true, import: 'default' })

/** Where a receipt is shown. `name` is its file's name without the ending. */
export const receiptHref = (name: string): string => `/receipts#${name.replace(/^claim-/u, '')}`

/** One figure of a receipt, in the receipt's own unit. Throws when there is none of that name. */
export const receiptFigure = (receipt: string, figure: string): number => named(receipt, figure).figure

/** What a figure stands beside in its receipt. Throws when it has no baseline. */
export function receiptBaseline(receipt: string, figure: string): number {
  const { baseline } = named(receipt, figure)
  if (baseline === undefined) throw new Error(`docs/receipts/${receipt}.json gives “${figure}” no baseline`)
  return baseline
}

/** A number as the site writes it: thousands apart, as many decimals as asked for. */
export const amount = (value: number, decimals = 0): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })

type Figure = { readonly figure: number; readonly baseline: number | undefined }

function named(receipt: string, figure: string): Figure {
  const figures = receiptOf(receipt)['figures']
  const found = Array.isArray(figures) ? figures.find((one) => isRecord(one) && one['name'] === figure) : undefined
  if (!isRecord(found)) throw new Error(`docs/receipts/${receipt}.json has no figure “${figure}”`)
  const baseline = found['baseline']
  return {
    figure: numberIn(found, 'figure'),
    baseline: isRecord(baseline) ? numberIn(baseline, 'figure') : undefined,
  }
}

function receiptOf(name: string): Record<string, unknown> {
  const file = Object.entries(FILES).find(([path]) => path.endsWith(`/${name}.json`))?.[1]
  if (!isRecord(file)) throw new Error(`There is no docs/receipts/${name}.json`)
  return file
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function numberIn(record: Record<string, unknown>, key: string): number {
  const value = record[key]
  if (typeof value !== 'number') throw new Error(`A receipt lacks the number “${key}”`)
  return value
}
