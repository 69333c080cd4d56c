/** Where each policy put one pod. */
export type PodExplanation = {
  readonly pod: string
  readonly seed: number
  /** Place in the order of arrival, from 1. */
  readonly arrival: number
  readonly asks: string
  readonly policies: readonly PolicyExplanation[]
}

export type PolicyExplanation = {
  readonly policy: string
  readonly placed: string | undefined
  /** The best spots with the policy's score, lower is better; empty where it compares none. */
  readonly considered: ReadonlyArray<{ readonly spot: string; readonly score: number }>
}
