/**
 * A series of shares as the path of an SVG: straight from point to point, and broken where nothing was measured. A point that
 * stands alone is a dot, for which a path has a line of no length.
 */
export function linesOf(
  shares: readonly (number | null)[],
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const step = width / Math.max(1, shares.length - 1)
  return shares
    .flatMap((share, index) => {
      if (share === null) return []
      const at = `${round(index * step)} ${round(height * (1 - share))}`
      const [before = null, after = null] = [shares[index - 1], shares[index + 1]]
      if (before !== null) return [`L${at}`]
      return [after === null ? `M${at}h0` : `M${at}`]
    })
    .join('')
}

const round = (pixels: number): number => Math.round(pixels * 10) / 10
