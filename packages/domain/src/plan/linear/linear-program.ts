import type { Ratio, Seconds } from '../../units.ts'

/** Minimize Σ cost × variable over variables ≥ 0, as the rows say. Variables and rows are known by their index. */
export type LinearProgram = {
  readonly cost: readonly number[]
  /** Highest value of each variable; `Infinity` where there is none. */
  readonly upper: readonly number[]
  /** Whether every variable must be a whole number. */
  readonly whole: boolean
  readonly rows: readonly LinearRow[]
}

export type LinearRow = {
  readonly kind: 'at-most' | 'at-least' | 'equal'
  readonly bound: number
  readonly terms: ReadonlyArray<readonly [variable: number, coefficient: number]>
}

/**
 * What a solver says. `bound`: no answer costs less; it is valid in every kind that has one, whatever else went wrong.
 * `prices` are the rows' dual values, known only where the variables need not be whole.
 */
export type LinearAnswer =
  | {
      readonly kind: 'optimal'
      readonly cost: number
      readonly values: readonly number[]
      readonly bound: number
      readonly prices: readonly number[] | undefined
    }
  | {
      /** Stopped early with an answer that is allowed and not proven best. */
      readonly kind: 'feasible'
      readonly cost: number
      readonly values: readonly number[]
      readonly bound: number
      readonly because: string
    }
  | { readonly kind: 'infeasible' }
  | { readonly kind: 'unbounded' }
  /** No answer: out of time, stopped, or a status that the solver itself does not trust. */
  | { readonly kind: 'unknown'; readonly bound: number | undefined; readonly because: string }

/** Solves linear programs. Never hangs: it answers within the limits, or `unknown` with the reason. */
export type LinearSolver = {
  solve(program: LinearProgram, limits: SolveLimits): Promise<LinearAnswer>
  close(): Promise<void>
}

export type SolveLimits = {
  readonly seconds: Seconds
  /** Distance to the bound that is good enough; 0 asks for a proof. */
  readonly gap: Ratio
  /** Stops the search when it fires. */
  readonly signal?: SolveSignal
}

/** The part of an `AbortSignal` that a solver needs; `domain` knows no platform types. */
type SolveSignal = {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}
