import type { Figure } from '../benchmark.ts'

/** The aim that holds for a figure, and whether it is reached; undefined where no rule can tell from the words. */
export type Verdict = { readonly aim: string; readonly reached: boolean | undefined }

/**
 * Judges a figure by the words of its aim. Undefined when it has none, or when the aim is for other figures of its
 * receipt: “≤ 1,500 ms on /” is not for `/auth`.
 */
export function judgeAim(figure: Figure): Verdict | undefined {
  const aim = aimFor(figure)
  if (aim === undefined) return undefined
  const told = ASIDES.map((rule) => rule(aim, figure)).find((reached) => reached !== undefined)
  return { aim, reached: told ?? byNumber(aim, figure) }
}

type Rule = (aim: string, figure: Figure) => boolean | undefined

/** Aims that are not one number to compare with. Each answers only for its own words. */
const ASIDES: readonly Rule[] = [
  (aim, { note = '' }) => (aim.endsWith('within the interval') ? note.endsWith(': inside') : undefined),
  // A Brier score has skill where it is below that of the base rate.
  (aim, { figure, baseline }) => (aim === 'skill > 0' && baseline ? figure < baseline.figure : undefined),
  (aim, { figure, baseline }) => (aim.startsWith('above ') && baseline ? figure > baseline.figure : undefined),
  (aim, { figure, unit }) => (aim === 'all' && OF.test(unit) ? figure >= numberOf(unit.replace(OF, '$1')) : undefined),
]

const OF = /^of ([\d,]+).*$/u
const COMPARED = /(≤|≥|<|>|under)\s*([\d,.]*\d)\s*(µs|ms|s|min)?(?![\w])/u
const PLAIN = /^(optimum )?([\d,.]*\d)(?:\s*(µs|ms|s|min)(?![\w]))?/u
const SECONDS: Readonly<Record<string, number>> = { µs: 1e-6, ms: 1e-3, s: 1, min: 60 }

function aimFor({ aim, name }: Figure): string | undefined {
  if (aim === undefined) return undefined
  if (!/ on \//u.test(aim)) return aim
  const path = name.split(':')[0]
  return aim.split(', ').find((clause) => clause.endsWith(` on ${path}`))
}

function byNumber(aim: string, { figure, unit }: Figure): boolean | undefined {
  const [, sign, bound, boundUnit] = COMPARED.exec(aim) ?? plain(aim) ?? []
  if (sign === undefined || bound === undefined) return undefined
  const value = figure * scale(unit, boundUnit)
  const limit = numberOf(bound)
  if (sign === '≤') return value <= limit
  if (sign === '≥') return value >= limit
  return sign === '>' ? value > limit : value < limit
}

/** A number alone is the most of a time, an optimum and of what should not happen at all; of anything else the least. */
function plain(aim: string): readonly [string, string, string, string | undefined] | undefined {
  const [all, optimum, bound, unit] = PLAIN.exec(aim) ?? []
  if (all === undefined || bound === undefined) return undefined
  const isMost = optimum !== undefined || unit !== undefined || numberOf(bound) === 0
  return [all, isMost ? '≤' : '≥', bound, unit]
}

/** What a figure's time is multiplied by to be in the unit of its aim. */
function scale(unit: string, boundUnit: string | undefined): number {
  const from = SECONDS[unit.split(' ')[0] ?? '']
  const to = boundUnit === undefined ? undefined : SECONDS[boundUnit]
  return from === undefined || to === undefined ? 1 : from / to
}

const numberOf = (text: string): number => Number(text.replaceAll(',', ''))
