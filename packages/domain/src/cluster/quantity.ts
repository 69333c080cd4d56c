/**
 * A Kubernetes quantity (`64`, `1500m`, `1.5`, `2e3`, `512Gi`, `1G`) as a number; undefined when it is none, or negative.
 * Source: Kubernetes API reference, "Quantity".
 */
export function readQuantity(quantity: unknown): number | undefined {
  if (typeof quantity !== 'string' && typeof quantity !== 'number') return undefined
  const [, digits, exponent, suffix = ''] = QUANTITY.exec(String(quantity).trim()) ?? []
  const factor = SUFFIXES.get(suffix)
  if (digits === undefined || factor === undefined) return undefined
  const value = Number(`${digits}${exponent ?? ''}`) * factor
  return Number.isFinite(value) ? value : undefined
}

// `1E` is an exabyte, `1E3` a thousand: an exponent has digits behind it.
// Each digit has one place in it, so that a long text costs no more than its length.
const QUANTITY = /^\+?(\d+(?:\.\d*)?|\.\d+)(?:([eE][+-]?\d+)|([KMGTPE]i|[numkMGTPE]))?$/

const SUFFIXES: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ...['n', 'u', 'm'].map((suffix, power) => [suffix, 1000 ** (power - 3)] as const),
  ...['k', 'M', 'G', 'T', 'P', 'E'].map((suffix, power) => [suffix, 1000 ** (power + 1)] as const),
  ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((suffix, power) => [suffix, 1024 ** (power + 1)] as const),
])
