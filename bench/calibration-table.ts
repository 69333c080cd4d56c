/** A forecast chance, what happened, and whose it is. */
export type Forecast = {
  readonly pod: string
  readonly chance: number
  readonly happened: boolean
  /** Share of the pods to which the same happened in as long a stretch just before: what was known without a model. */
  readonly baseRate: number
}

/** Forecasts of about the same chance, and how often they came true. */
export type CalibrationBin = {
  readonly from: number
  readonly to: number
  readonly count: number
  readonly pods: number
  readonly forecast: number
  readonly observed: number
  /** 95 % by Wilson's score, a pod counting once: what is forecast of one pod at several capacities is not independent. */
  readonly low: number
  readonly high: number
  readonly inside: boolean
}

/** How good forecasts were. */
export type Calibration = {
  readonly count: number
  readonly forecast: number
  readonly observed: number
  /** Mean squared distance of forecasts from what happened: 0 is perfect. */
  readonly brier: number
  readonly baseBrier: number
  /** Part of the base rate's Brier score that the forecasts save; below 0 they are worse than that. */
  readonly skill: number
  readonly bins: readonly CalibrationBin[]
}

/** Judges forecasts, in tenths of chance; tenths without forecasts are left out. */
export function calibrationOf(forecasts: readonly Forecast[]): Calibration {
  const brier = brierScore(forecasts, ({ chance }) => chance)
  const baseBrier = brierScore(forecasts, ({ baseRate }) => baseRate)
  const tenths = Map.groupBy(forecasts, ({ chance }) => Math.min(9, Math.floor(chance * 10)))
  return {
    count: forecasts.length,
    forecast: mean(forecasts.map(({ chance }) => chance)),
    observed: frequency(forecasts),
    brier,
    baseBrier,
    skill: 1 - brier / baseBrier,
    bins: [...tenths].toSorted(([a], [b]) => a - b).map(([tenth, inside]) => binOf(tenth, inside)),
  }
}

function binOf(tenth: number, forecasts: readonly Forecast[]): CalibrationBin {
  const pods = new Set(forecasts.map(({ pod }) => pod)).size
  const forecast = mean(forecasts.map(({ chance }) => chance))
  const observed = frequency(forecasts)
  const [low, high] = wilson(observed, pods)
  const inside = forecast >= low && forecast <= high
  return {
    from: tenth / 10,
    to: (tenth + 1) / 10,
    count: forecasts.length,
    pods,
    forecast,
    observed,
    low,
    high,
    inside,
  }
}

/** The 95 % interval of a share seen in so many independent cases (Wilson 1927). */
function wilson(share: number, cases: number): readonly [number, number] {
  const z = 1.96
  const center = (share + z ** 2 / (2 * cases)) / (1 + z ** 2 / cases)
  const half = (z * Math.sqrt((share * (1 - share)) / cases + (z / (2 * cases)) ** 2)) / (1 + z ** 2 / cases)
  return [center - half, center + half]
}

const brierScore = (forecasts: readonly Forecast[], of: (forecast: Forecast) => number): number =>
  mean(forecasts.map((forecast) => (of(forecast) - (forecast.happened ? 1 : 0)) ** 2))

const frequency = (forecasts: readonly Forecast[]): number => mean(forecasts.map(({ happened }) => (happened ? 1 : 0)))
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
