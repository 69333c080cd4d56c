import { contentHash } from './content-hash.ts'
import type { Plan } from './action.ts'

/**
 * Equal for plans that do the same to the same things, whoever asked for them, of whichever name of the cluster, and when.
 * A step that is due at once is due at whatever moment the plan was made.
 */
export const stepsDigest = ({ steps, madeFrom }: Pick<Plan, 'steps' | 'madeFrom'>): string =>
  contentHash(
    JSON.stringify(
      steps.map(({ action, notBefore }) => [action, notBefore !== undefined && notBefore > madeFrom ? notBefore : 0]),
      (_key, value: unknown) => (isRecord(value) ? ordered(value) : value),
    ),
  )

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const ordered = (value: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
