export type Range = { readonly from: number; readonly to: number; readonly stepMs: number }

/** Cuts a range into pieces of at most so many points, on its own grid: no point is asked for twice or left out. */
export function splitRange({ from, to, stepMs }: Range, maximumPoints: number): Range[] {
  const pieces: Range[] = []
  const length = stepMs * (maximumPoints - 1)
  for (let start = from; start <= to; start += length + stepMs) {
    pieces.push({ from: start, to: Math.min(to, start + length), stepMs })
  }
  return pieces
}
