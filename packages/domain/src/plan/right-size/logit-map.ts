/** Corrects forecast chances by what came true: logit(corrected) = shift + slope × logit(forecast) (Platt 1999). */
export type LogitMap = { readonly shift: number; readonly slope: number }

/** A forecast beside what happened. */
export type Checked = { readonly chance: number; readonly happened: boolean }

/** Changes nothing. */
export const SAME_LOGIT: LogitMap = { shift: 0, slope: 1 }

/** The corrected chance; grows with the forecast. */
export const calibrated = (chance: number, { shift, slope }: LogitMap): number => sigmoid(shift + slope * logit(chance))

/** How far the corrected chance moves with the forecast, as a multiple. */
export function steepness(chance: number, map: LogitMap): number {
  const before = clamp(chance)
  const after = calibrated(before, map)
  return (map.slope * after * (1 - after)) / (before * (1 - before))
}

/**
 * The map under which the past was most likely, drawn toward no change as if by a few more observations, so that little
 * evidence changes little. Pairs of one workload are not independent: together they count as `observations`. The loss is
 * the negative log-likelihood of that many corrected forecasts.
 */
export function fitLogitMap(
  pairs: readonly Checked[],
  observations: number,
): { readonly map: LogitMap; readonly loss: number } {
  const each = observations / Math.max(1, pairs.length)
  const points = pairs.map(({ chance, happened }) => ({ x: logit(chance), happened: happened ? 1 : 0 }))
  let map = SAME_LOGIT
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = newtonStep(points, map, PULL / Math.max(1e-9, each))
    const moved = Math.abs(next.shift - map.shift) + Math.abs(next.slope - map.slope)
    map = next
    if (moved < 1e-4) break
  }
  const loss = points.reduce((sum, { x, happened }) => {
    const forecast = clamp(sigmoid(map.shift + map.slope * x))
    return sum - Math.log(happened === 1 ? forecast : 1 - forecast)
  }, 0)
  return { map, loss: loss * each }
}

type Point = { readonly x: number; readonly happened: number }

/** One step of Newton's method on the penalized likelihood. */
function newtonStep(points: readonly Point[], map: LogitMap, pull: number): LogitMap {
  let [shiftSlope, slopeSlope, a, b, c] = [-pull * map.shift, -pull * (map.slope - 1), pull, 0, pull]
  for (const { x, happened } of points) {
    const forecast = sigmoid(map.shift + map.slope * x)
    const miss = happened - forecast
    const weight = forecast * (1 - forecast)
    shiftSlope += miss
    slopeSlope += miss * x
    a += weight
    b += weight * x
    c += weight * x * x
  }
  const determinant = a * c - b * b
  if (determinant < 1e-12) return map
  const shift = map.shift + (c * shiftSlope - b * slopeSlope) / determinant
  const slope = map.slope + (a * slopeSlope - b * shiftSlope) / determinant
  return { shift: Math.max(-4, Math.min(4, shift)), slope: Math.max(LEAST_SLOPE, Math.min(3, slope)) }
}

const ROUNDS = 12
/** Weight of the wish for no change, in observations of an even chance. */
const PULL = 2
/** A corrected chance must still grow with the forecast, or a larger profile could look riskier than a smaller one. */
const LEAST_SLOPE = 0.1

const clamp = (chance: number): number => Math.min(1 - 1e-9, Math.max(1e-9, chance))
const logit = (chance: number): number => {
  const inside = clamp(chance)
  return Math.log(inside / (1 - inside))
}
const sigmoid = (z: number): number => 1 / (1 + Math.exp(-z))
