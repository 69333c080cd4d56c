import type { FieldName, FigureName, FigureUnit, StateName, SubjectName } from './vocabulary.ts'
import type { TimeRange } from '@septet/domain'

/** Which rows are wanted: those of some names or states, or with a figure on one side of a limit. */
export type Condition =
  | { readonly kind: 'names'; readonly field: FieldName; readonly names: readonly string[]; readonly not: boolean }
  | { readonly kind: 'state'; readonly state: StateName; readonly not: boolean }
  | {
      readonly kind: 'limit'
      readonly figure: FigureName
      readonly above: Limit | undefined
      readonly below: Limit | undefined
    }
export type Limit = { readonly value: number; readonly includes: boolean }

/** An amount with its unit, which may leave open what it is an amount of. */
export type Amount = { readonly value: number; readonly unit: FigureUnit | undefined }

/** What a piece of a line was read as. */
export type Meaning =
  | { readonly kind: 'figure'; readonly figure: FigureName }
  | { readonly kind: 'count' }
  | { readonly kind: 'subject'; readonly subject: SubjectName }
  | { readonly kind: 'where'; readonly condition: Condition }
  | { readonly kind: 'limit'; readonly above?: Amount & Limit; readonly below?: Amount & Limit }
  | { readonly kind: 'time'; readonly range: TimeRange }
  | { readonly kind: 'compare'; readonly range: TimeRange | 'before'; readonly ms?: number }
  | {
      readonly kind: 'top'
      readonly top: number | undefined
      readonly order?: 'up' | 'down'
      readonly figure?: FigureName
    }
  | { readonly kind: 'why'; readonly workload: string }
  | { readonly kind: 'now' }
  | { readonly kind: 'unknown' }

/** A piece of a line: where it stands in it, what it means, and how that is shown. */
export type Piece = {
  readonly from: number
  readonly to: number
  readonly meaning: Meaning
  readonly says: string
  /** Of a subject: whether one of them is asked about. */
  readonly isSingular?: boolean
  /** Why nothing can be answered with it, in a sentence; undefined where it can. */
  readonly problem?: string | undefined
  /** What may stand in its place. */
  readonly choices: readonly string[]
}
