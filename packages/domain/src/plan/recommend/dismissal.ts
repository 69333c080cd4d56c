import type { Instant } from '../../units.ts'

/**
 * A person's no to a recommendation, with the reason. It holds for that kind of change to that object, whatever its
 * figures become, until it is taken back.
 */
export type Dismissal = {
  readonly cluster: string
  /** Id of the recommendation. */
  readonly id: string
  readonly reason: string
  readonly at: Instant
}
