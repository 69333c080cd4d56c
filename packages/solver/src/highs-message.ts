/** A program as the worker takes it: rows compressed, `lower` and `upper` of each row, all variables from 0 up. */
export type HighsQuestion = {
  readonly id: number
  readonly cost: Float64Array
  readonly upper: Float64Array
  readonly whole: boolean
  readonly rowLower: Float64Array
  readonly rowUpper: Float64Array
  readonly starts: Int32Array
  readonly indices: Int32Array
  readonly values: Float64Array
  readonly seconds: number
  readonly gap: number
}

/** What the worker says: it runs the solver and believes nothing; `judgeOutcome` decides what an outcome is worth. */
export type HighsReply =
  /** The solver is loaded; the next question's time begins now. */
  | { readonly kind: 'ready' }
  /** A better answer found on the way, kept for the case that the search is stopped. */
  | { readonly kind: 'incumbent'; readonly id: number; readonly values: Float64Array; readonly bound: number }
  | { readonly kind: 'outcome'; readonly id: number; readonly outcome: HighsOutcome }
  | { readonly kind: 'failed'; readonly id: number; readonly because: string }

export type HighsOutcome = {
  readonly status: HighsStatus
  /** Undefined where the solver holds no allowed answer. */
  readonly values: Float64Array | undefined
  /** Row duals of a linear program with optimal status. */
  readonly prices: Float64Array | undefined
  readonly bound: number | undefined
}

export type HighsStatus =
  | 'optimal'
  | 'infeasible'
  | 'unbounded'
  | 'unbounded-or-infeasible'
  | 'time-limit'
  | 'solution-limit'
  | 'not-trusted'
