import { AT_LOWER, AT_UPPER, type Basis } from './basis.ts'
import { real, whole, type ScaledProgram } from './scaled-program.ts'

export type Move = {
  readonly program: ScaledProgram
  readonly basis: Basis
  /** How the basic values fall while the entering column rises. */
  readonly alpha: Float64Array
  readonly direction: 1 | -1
  /** Whether ties go to the lowest column, as Bland's rule wants, or to the largest pivot. */
  readonly bland: boolean
}

/** How far a column can move: which row stops it, and at which of its bounds the row's column then is. */
export type Step = { readonly length: number; readonly row: number | undefined; readonly to: number }

const SMALLEST_PIVOT = 1e-9
const TIE = 1e-10

/** The first basic value that reaches a bound. A value outside its bounds stops the move where it comes back inside. */
export function limitStep({ program, basis, alpha, direction, bland }: Move): Step {
  let best: Step = { length: Infinity, row: undefined, to: AT_LOWER }
  for (let i = 0; i < alpha.length; i += 1) {
    const fall = direction * real(alpha, i)
    if (Math.abs(fall) < SMALLEST_PIVOT) continue
    const column = whole(basis.head, i)
    const stop = stopAt(real(basis.values, i), fall, {
      lower: real(program.lower, column),
      upper: real(program.upper, column),
      tolerance: basis.tolerance,
    })
    if (stop === undefined || stop.length > best.length + TIE) continue
    if (stop.length < best.length - TIE || best.row === undefined || isBetter(i, best.row)) best = { ...stop, row: i }
  }
  return best

  function isBetter(row: number, than: number): boolean {
    return bland
      ? whole(basis.head, row) < whole(basis.head, than)
      : Math.abs(real(alpha, row)) > Math.abs(real(alpha, than))
  }
}

type Limits = { readonly lower: number; readonly upper: number; readonly tolerance: number }

function stopAt(value: number, fall: number, { lower, upper, tolerance }: Limits): Omit<Step, 'row'> | undefined {
  if (fall > 0) {
    const to = isAbove(value, upper, tolerance) ? upper : lower
    if (to === -Infinity || isBelow(value, lower, tolerance)) return undefined
    return { length: Math.max(0, (value - to) / fall), to: to === lower ? AT_LOWER : AT_UPPER }
  }
  const to = isBelow(value, lower, tolerance) ? lower : upper
  if (to === Infinity || isAbove(value, upper, tolerance)) return undefined
  return { length: Math.max(0, (value - to) / fall), to: to === upper ? AT_UPPER : AT_LOWER }
}

const isAbove = (value: number, limit: number, tolerance: number): boolean =>
  value > limit + tolerance * (1 + Math.abs(limit))
const isBelow = (value: number, limit: number, tolerance: number): boolean =>
  value < limit - tolerance * (1 + Math.abs(limit))
