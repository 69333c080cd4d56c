/** Corrects forecast chances by what came true: logit(corrected) = shift + slope × logit(forecast) (Platt 1999). */
export type LogitMap = { readonly shift: number; readonly slope: number }

/** A forecast, what happened, and as how many observations it counts. */
export type CheckedForecast = { readonly chance: number; readonly happened: boolean; readonly counts: number }

/** Changes nothing. */
export const SAME_LOGIT: LogitMap = { shift: 0, slope: 1 }

/** The corrected chance; grows with the forecast. Odds of what is rarer than what can be checked change as those of the rarest. */
export function calibrated(chance: number, { shift, slope }: LogitMap): number {
  const rarest = Math.max(chance, RAREST)
  return sigmoid(shift + slope * logit(rarest) + logit(chance) - logit(rarest))
}

/**
 * The map under which the past was most likely, drawn toward no change as if by a few more observations, so that little
 * evidence changes little.
 */
export function fitLogitMap(checked: readonly CheckedForecast[]): LogitMap {
  const points = checked.map((one) => ({ ...one, x: logit(Math.max(one.chance, RAREST)) }))
  let map = SAME_LOGIT
  for (let round = 0; round < ROUNDS; round += 1) map = newtonStep(points, map)
  return map
}

/** One step of Newton's method on the penalized likelihood. */
function newtonStep(points: ReadonlyArray<CheckedForecast & { readonly x: number }>, map: LogitMap): LogitMap {
  let [shiftSlope, slopeSlope, a, b, c] = [-PULL * map.shift, -PULL * (map.slope - 1), PULL, 0, PULL]
  for (const { x, happened, counts } of points) {
    const forecast = sigmoid(map.shift + map.slope * x)
    const miss = counts * ((happened ? 1 : 0) - forecast)
    const weight = counts * forecast * (1 - forecast)
    shiftSlope += miss
    slopeSlope += miss * x
    a += weight
    b += weight * x
    c += weight * x * x
  }
  const determinant = a * c - b * b
  const shift = map.shift + (c * shiftSlope - b * slopeSlope) / determinant
  const slope = map.slope + (a * slopeSlope - b * shiftSlope) / determinant
  return { shift: Math.max(-4, Math.min(4, shift)), slope: Math.max(LEAST_SLOPE, Math.min(3, slope)) }
}

const ROUNDS = 12
/** Weight of the wish for no change, in observations of an even chance. */
const PULL = 2
/** A corrected chance must still grow with the forecast, or a larger profile could look riskier than a smaller one. */
const LEAST_SLOPE = 0.1
/** Days of a fleet's past do not show how often what is rarer comes true. */
const RAREST = 0.01

const logit = (chance: number): number => {
  const inside = Math.min(1 - 1e-9, Math.max(1e-9, chance))
  return Math.log(inside / (1 - inside))
}
const sigmoid = (z: number): number => 1 / (1 + Math.exp(-z))
