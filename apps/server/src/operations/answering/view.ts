import { percent } from '@septet/domain/words'
import type { FigureView } from '@septet/contract'
import { instant, type ClusterAnalysis, type Figure, type Instant, type Window } from '@septet/domain'

type Unit = FigureView['unit']

/** What a figure is, where it comes from and over which window: the three answers that every number owes. */
export type Explanation = {
  readonly formula: string
  readonly source: string
  readonly window: Window | undefined
  /** That the window reaches into a past that is not read yet, in sentences: a figure of it is partial. */
  readonly unread?: string | undefined
}

/** An analysis, and whether it reaches into a past that is not read yet: then no figure of it is whole. */
export type Seen = ClusterAnalysis & Pick<Explanation, 'unread'>

export const isoOf = (at: Instant): string => new Date(at).toISOString()
export const isoOrNull = (at: Instant | undefined): string | null => (at === undefined ? null : isoOf(at))
export const windowView = (window: Window | undefined): { from: string; to: string } | null =>
  window === undefined ? null : { from: isoOf(window.from), to: isoOf(window.to) }

/** A window of an answer, read again. */
export const windowFrom = ({ from, to }: { readonly from: string; readonly to: string }): Window => ({
  from: instant(Date.parse(from)),
  to: instant(Date.parse(to)),
})

/** Under this share of measured time a figure is called partial, and says so. */
const PARTIAL_BELOW = 0.995

/** A ratio of the domain on the wire. */
export function ratioView<Value extends number>(figure: Figure<Value>, explain: Explanation): FigureView {
  const shared = { unit: 'ratio' as const, coverage: figure.coverage, explain: explanationView(explain) }
  if (figure.kind === 'unknown') return { ...shared, value: null, quality: 'unknown', because: figure.because }
  const unmeasured =
    figure.coverage < PARTIAL_BELOW
      ? `${percent(1 - figure.coverage)} of the time has no trustworthy measurement.`
      : undefined
  const because = inSentences([explain.unread, unmeasured])
  return {
    ...shared,
    value: figure.value,
    quality: because === undefined ? 'measured' : 'partial',
    because: because ?? null,
  }
}

/** What a number leaves out, in a sentence; undefined when next to nothing of the held time is unmeasured. */
export const unmeasuredOfHeld = (coverage: number): string | undefined =>
  coverage < PARTIAL_BELOW ? `${percent(1 - coverage)} of the held time has no trustworthy measurement.` : undefined

/**
 * A plain number on the wire; `quality` says whether it was counted, measured or estimated. What it leaves out makes a
 * measured one partial.
 */
export function numberView(
  value: number | undefined,
  { unit, explain, quality = 'measured', because = 'unknown', coverage, leavesOut }: NumberOptions,
): FigureView {
  const missing = inSentences([explain.unread, leavesOut])
  const known = quality === 'measured' && missing !== undefined ? 'partial' : quality
  return {
    value: value ?? null,
    unit,
    quality: value === undefined ? 'unknown' : known,
    because: value === undefined ? because : (missing ?? null),
    coverage: coverage ?? null,
    explain: explanationView(explain),
  }
}
type NumberOptions = {
  readonly unit: Unit
  readonly explain: Explanation
  readonly quality?: FigureView['quality']
  /** Why there is no value. */
  readonly because?: string
  /** Share of the time it speaks of that was measured. */
  readonly coverage?: number | undefined
  /** What is not in the value, in sentences. */
  readonly leavesOut?: string | undefined
}

/** Those that there are, one after the other; undefined where there is none. */
export function inSentences(some: readonly (string | undefined)[]): string | undefined {
  const known = some.filter((each) => each !== undefined)
  return known.length === 0 ? undefined : known.join(' ')
}

const explanationView = (explain: Explanation): FigureView['explain'] => ({
  formula: explain.formula,
  window: windowView(explain.window),
  source: explain.source,
})
