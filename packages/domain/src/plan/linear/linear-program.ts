/** Minimize Σ cost × variable over variables ≥ 0, as the rows say. Variables and rows are known by their index. */
export type LinearProgram = {
  readonly cost: readonly number[]
  /** Highest value of each variable; `Infinity` where there is none. */
  readonly upper: readonly number[]
  readonly rows: readonly LinearRow[]
}

export type LinearRow = {
  readonly kind: 'at-most' | 'at-least' | 'equal'
  readonly bound: number
  readonly terms: ReadonlyArray<readonly [variable: number, coefficient: number]>
}

/** What a program comes to where its variables may be fractions. `prices` are the rows' dual values. */
export type LinearAnswer =
  | {
      readonly kind: 'optimal'
      readonly cost: number
      readonly values: readonly number[]
      readonly prices: readonly number[]
    }
  | NoAnswer

/** What a program comes to in whole numbers. `bound`: no answer costs less. */
export type WholeAnswer =
  | {
      readonly kind: 'found'
      readonly cost: number
      readonly values: readonly number[]
      readonly bound: number
      /** Why it is not proven best; undefined where it is. */
      readonly unproven: string | undefined
    }
  | NoAnswer

export type NoAnswer =
  | { readonly kind: 'infeasible' }
  | { readonly kind: 'unbounded' }
  | { readonly kind: 'unknown'; readonly because: string }
