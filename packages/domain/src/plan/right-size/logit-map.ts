/** Corrects forecast chances by what came true: logit(corrected) = shift + slope × logit(forecast) (Platt 1999). */
export type LogitMap = { readonly shift: number; readonly slope: number }

/** A forecast beside what happened. */
export type Checked = { readonly chance: number; readonly happened: boolean }

/** Changes nothing. */
export const SAME_LOGIT: LogitMap = { shift: 0, slope: 1 }

/** The corrected chance; grows with the forecast. */
export const calibrated = (chance: number, { shift, slope }: LogitMap): number =>
  1 / (1 + Math.exp(-(shift + slope * logit(chance))))

/**
 * The map under which the past was most likely, drawn toward no change as if by a few more observations, so that little
 * evidence changes little. The loss is the mean negative log-likelihood of the corrected forecasts.
 */
export function fitLogitMap(pairs: readonly Checked[]): { readonly map: LogitMap; readonly loss: number } {
  let map = SAME_LOGIT
  for (let round = 0; round < 8; round += 1) map = newtonStep(pairs, map)
  const loss = pairs.reduce((sum, { chance, happened }) => {
    const forecast = clamp(calibrated(chance, map))
    return sum - Math.log(happened ? forecast : 1 - forecast)
  }, 0)
  return { map, loss: loss / Math.max(1, pairs.length) }
}

/** One step of Newton's method on the penalized likelihood. */
function newtonStep(pairs: readonly Checked[], map: LogitMap): LogitMap {
  let [shiftSlope, slopeSlope, a, b, c] = [-PULL * map.shift, -PULL * (map.slope - 1), PULL, 0, PULL]
  for (const { chance, happened } of pairs) {
    const x = logit(chance)
    const forecast = calibrated(chance, map)
    const miss = (happened ? 1 : 0) - forecast
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

/** Weight of the wish for no change, in observations of an even chance. */
const PULL = 2
/** A corrected chance must still grow with the forecast, or a larger profile could look riskier than a smaller one. */
const LEAST_SLOPE = 0.1

const clamp = (chance: number): number => Math.min(1 - 1e-9, Math.max(1e-9, chance))
const logit = (chance: number): number => {
  const inside = clamp(chance)
  return Math.log(inside / (1 - inside))
}
