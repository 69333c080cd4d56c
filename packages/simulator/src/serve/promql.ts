import type { SlotQuestion } from './idle-slots.ts'

/** The part of PromQL that the demo answers: a selector, one of three functions over a range of it, or a slot question. */
export type PromqlQuery = {
  readonly name: string | undefined
  readonly matchers: readonly Matcher[]
  readonly over: { readonly function: OverTime; readonly milliseconds: number } | undefined
  readonly slots?: SlotQuestion
}
type OverTime = 'avg_over_time' | 'max_over_time' | 'count_over_time'
type Matcher = { readonly label: string; readonly accepts: (value: string) => boolean }

const FUNCTION =
  /^(avg_over_time|max_over_time|count_over_time)\s*\(\s*([\s\S]*?)\s*\[\s*((?:\d+(?:ms|[smhdw]))+)\s*\]\s*\)$/
const SELECTOR = /^([A-Za-z_:][\w:]*)?\s*(?:\{([\s\S]*)\})?$/
const MATCHER = /\s*([A-Za-z_]\w*)\s*(=~|!~|!=|=)\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*(,|$)/y

const SLOTS = /^count_over_time\(count_over_time\(([\s\S]*)\[299s\]\)\[(\d+)m:5m\]\)$/
/** Slots of five minutes in which a counter is 0 and another one contradicts it. */
const STUCK =
  /^count_over_time\(\(avg_over_time\(([\s\S]*?)\[299s\]\) == 0 and avg_over_time\((\w+)[^[]*\[299s\]\) >= ([\d.]+)\)\[(\d+)m:5m\]\)$/
/** Slots in stretches whose means are at most a threshold: the shape in which Septet asks for them, … */
const IDLE =
  /^count_over_time\(\(avg_over_time\(([\s\S]*?)\[299s\]\) <= ([\d.e-]+) and max_over_time\(\(sum_over_time\(\(1 - 1000 \* \(\(avg_over_time\(\1\[299s\]\) or avg_over_time\(\1\[299s\] offset 5m\)\) > bool \2\)\)\[\d+m:5m\]\) >= (\d+) and avg_over_time\(\1\[299s\]\)\)\[\d+m:5m\] offset -\d+m\)\)\[(\d+)m:5m\]\)$/
/** … and each mean in it where slots with a stuck counter tell nothing. */
const UNLESS_STUCK =
  /\((avg_over_time\([^[]*\[299s\](?: offset 5m)?\)) unless \(\1 == 0 and avg_over_time\((\w+)[^[]*\[299s\](?: offset 5m)?\) >= ([\d.]+)\)\)/g

function parseSlots(text: string): PromqlQuery | string | undefined {
  const [, selector, counted] = SLOTS.exec(text) ?? []
  if (selector !== undefined) return withSlots(selector, { kind: 'slots', milliseconds: minutes(counted) })
  const [, stuck, other, limit, within] = STUCK.exec(text) ?? []
  if (stuck !== undefined) {
    return withSlots(stuck, { kind: 'stuck', milliseconds: minutes(within), against: against(other, limit) })
  }
  const [[, , name, least] = []] = text.matchAll(UNLESS_STUCK)
  const [, idle, threshold, stretch, range] = IDLE.exec(text.replaceAll(UNLESS_STUCK, '$1')) ?? []
  if (idle === undefined) return undefined
  const limits = { threshold: Number(threshold), stretch: Number(stretch), against: against(name, least) }
  return withSlots(idle, { kind: 'idle', milliseconds: minutes(range), ...limits })
}

const against = (name: string | undefined, least: string | undefined): SlotQuestion['against'] =>
  name === undefined ? undefined : { name, least: Number(least) }
const minutes = (text: string | undefined): number => Number(text) * 60_000

function withSlots(selector: string, slots: SlotQuestion): PromqlQuery | string {
  const query = parseSelector(selector, { function: 'count_over_time', milliseconds: slots.milliseconds })
  return typeof query === 'string' ? query : { ...query, slots }
}

/** Reads a query. A text instead of a query says what is not understood. */
export function parseQuery(text: string): PromqlQuery | string {
  const slots = parseSlots(text.trim())
  if (slots !== undefined) return slots
  const called = FUNCTION.exec(text.trim())
  if (called === null) return parseSelector(text.trim(), undefined)
  const [, name, selector = '', range = ''] = called
  return parseSelector(selector, isOverTime(name) ? { function: name, milliseconds: promqlDuration(range) } : undefined)
}

function parseSelector(text: string, over: PromqlQuery['over']): PromqlQuery | string {
  const selector = SELECTOR.exec(text)
  if (selector === null || text === '') {
    return `the demo answers METRIC{…} and avg_over_time, max_over_time or count_over_time(METRIC{…}[range]), not: ${text}`
  }
  const [, name, inside = ''] = selector
  const matchers = parseMatchers(inside)
  if (typeof matchers === 'string') return matchers
  if (name === undefined && matchers.length === 0) return 'vector selector must contain at least one non-empty matcher'
  return { name, matchers, over }
}

const isOverTime = (name: string | undefined): name is OverTime =>
  name === 'avg_over_time' || name === 'max_over_time' || name === 'count_over_time'

function parseMatchers(text: string): readonly Matcher[] | string {
  const found: Matcher[] = []
  MATCHER.lastIndex = 0
  while (MATCHER.lastIndex < text.length) {
    const at = MATCHER.lastIndex
    const match = MATCHER.exec(text)
    if (match === null) return text.slice(at).trim() === '' ? found : `unexpected text in selector: ${text.slice(at)}`
    const [, label = '', operator = '', quoted = ''] = match
    const accepts = acceptor(operator, unquote(quoted))
    if (typeof accepts === 'string') return accepts
    found.push({ label, accepts })
  }
  return found
}

function acceptor(operator: string, value: string): Matcher['accepts'] | string {
  if (operator === '=') return (actual) => actual === value
  if (operator === '!=') return (actual) => actual !== value
  try {
    const pattern = new RegExp(`^(?:${value})$`, 's')
    return operator === '=~' ? (actual) => pattern.test(actual) : (actual) => !pattern.test(actual)
  } catch {
    return `error parsing regexp: ${value}`
  }
}

const unquote = (quoted: string): string =>
  quoted.slice(1, -1).replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character))

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** `1h30m` → milliseconds; a bare number means seconds. NaN when it is neither. */
export function promqlDuration(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000
  const parts = [...text.matchAll(/(\d+)(ms|[smhdw])/g)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return Number.NaN
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ''] ?? Number.NaN), 0)
}
