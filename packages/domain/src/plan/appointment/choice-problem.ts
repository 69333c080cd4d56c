import type { NodeOption } from './node-options.ts'

/** Which nodes could give how many places for which evictions, and how many places are wanted. */
export type ChoiceProblem = {
  readonly nodes: ReadonlyArray<{ readonly name: string; readonly options: readonly NodeOption[] }>
  /** Evictions that each disruption budget allows. */
  readonly budgets: ReadonlyMap<string, number>
  readonly places: number
  /** The most pods that may be evicted. */
  readonly limit: number
}
