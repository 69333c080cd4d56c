export type MeanInterval = {
  readonly mean: number
  /** Undefined for one sample: its spread is not known. */
  readonly halfWidth: number | undefined
  readonly samples: number
}

/** Mean and half the width of its 95 % interval (Student's t). */
export function meanInterval(values: readonly number[]): MeanInterval {
  const samples = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / samples
  if (samples < 2) return { mean, halfWidth: undefined, samples }
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (samples - 1)
  return { mean, halfWidth: studentFactor(samples - 1) * Math.sqrt(variance / samples), samples }
}

/** The 97.5 % points of Student's t for 1, 2, … degrees of freedom; beyond 30 the normal's, with its first correction. */
const STUDENT = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
]

const studentFactor = (freedom: number): number => STUDENT[freedom - 1] ?? 1.96 + 2.4 / freedom
