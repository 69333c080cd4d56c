import { listed } from '@septet/domain/words'

import type { Named, Names } from './names.ts'
import { END, matchAt, NOT, type Read, WORD } from './reader.ts'
import { EXTREMES, FIGURES, FILLERS, STATES, SUBJECTS, type FieldName } from './vocabulary.ts'

const FIELDS: Readonly<Record<string, FieldName>> = {
  namespace: 'namespace',
  ns: 'namespace',
  team: 'tenant',
  tenant: 'tenant',
  model: 'model',
  pool: 'pool',
  node: 'node',
  workload: 'workload',
  job: 'workload',
}
const FIELD = String.raw`(?<field>${Object.keys(FIELDS).join('|')})s?`
const LEAD = new RegExp(
  String.raw`(?:(?:and|that|which)\s+)?(?:(?:is|are|was|were)\s+)?(?:${NOT})?(?:(?:in|on|of|for|at|by|from|with|within)\s+)?(?:the\s+)?(?:${FIELD}\s*[=:]?\s+)?`,
  'iuy',
)
/** "the train pool" is a pool by its name. */
const FIELD_AFTER = new RegExp(String.raw`\s+${FIELD}${END}`, 'iuy')
const NEXT_NAME = /\s*(?:,\s*(?:or|and)?|or|and)\s+/iuy

/** A condition by names: "in team-search", "not on A100 or L40S"; undefined where nothing of the cluster is called so. */
export async function nameCondition(line: string, from: number, names: Names): Promise<Read | undefined> {
  const lead = matchAt(LEAD, line, from)
  const start = from + (lead?.[0].length ?? 0)
  const first = await namedAt(line, start, names)
  if (first === undefined) return undefined
  const said = fieldIn(lead) ?? fieldAfter(line, first)?.field
  const found = first.found.filter(({ field }) => said === undefined || field === said)
  const [one] = found
  if (one === undefined) return undefined
  const { same, end } = await rest(line, { one, found, end: first.end }, names)
  const not = lead?.groups?.['not'] !== undefined
  const all = [...new Set(same.map(({ name }) => name))]
  const typed = line.slice(start, first.end)
  return {
    length: end - from,
    meaning: { kind: 'where', condition: { kind: 'names', field: one.field, names: all, not } },
    says: `${one.field}${not ? ' not' : ''} ${listed(all, 'or')}`,
    ...doubt({ found, all, typed, not, isAlone: end === first.end }),
  }
}

type Doubt = {
  readonly found: readonly Named[]
  readonly all: readonly string[]
  readonly typed: string
  readonly not: boolean
  /** Whether one word names all of them. */
  readonly isAlone: boolean
}

/** What a name may mean besides: of two kinds of things one has to be chosen, of several boards one can be. */
function doubt({ found, all, typed, not, isAlone }: Doubt): Pick<Read, 'problem' | 'choices'> {
  const lead = not ? 'not ' : ''
  const fields = [...new Set(found.map(({ field }) => field))]
  if (fields.length > 1)
    return {
      problem: `“${typed}” is a ${listed(fields, 'and a')}.`,
      choices: fields.map((field) => `${lead}${field} ${typed}`),
    }
  return isAlone && all.length > 1 ? { choices: all.map((name) => `${lead}${fields[0]} ${name}`) } : {}
}

type Begun = { readonly one: Named; readonly found: readonly Named[]; readonly end: number }

/** More names of the same kind: "a, b or c", and the kind after them. */
async function rest(line: string, { one, found, end: first }: Begun, names: Names) {
  const same = found.filter(({ field }) => field === one.field)
  let end = first
  for (;;) {
    const joint = matchAt(NEXT_NAME, line, end)
    // oxlint-disable-next-line no-await-in-loop -- the next name begins where this one ends
    const next = joint && (await namedAt(line, end + joint[0].length, names))
    const more = next?.found.filter(({ field }) => field === one.field) ?? []
    if (next === undefined || more.length === 0) break
    same.push(...more)
    end = next.end
  }
  const after = matchAt(FIELD_AFTER, line, end)
  return { same, end: fieldIn(after) === one.field ? end + (after?.[0].length ?? 0) : end }
}

/** The kind that stands after a name, where the name is of it. */
function fieldAfter(line: string, { end, found }: FoundName): Pick<Named, 'field'> | undefined {
  const field = fieldIn(matchAt(FIELD_AFTER, line, end))
  return found.find((each) => each.field === field)
}

const fieldIn = (match: RegExpExecArray | undefined): FieldName | undefined =>
  FIELDS[match?.groups?.['field']?.toLowerCase() ?? '']

type FoundName = { readonly end: number; readonly found: readonly Named[] }

async function namedAt(line: string, from: number, names: Names): Promise<FoundName | undefined> {
  const text = matchAt(WORD, line, from)?.[0]?.replace(/[.:]+$/u, '')
  if (text === undefined || text === '' || ORDINARY.test(text)) return undefined
  const found = await names.of(text)
  return found.length === 0 ? undefined : { end: from + text.length, found }
}

/** A word of the language is never taken for a name. */
const ORDINARY = new RegExp(
  `^(?:${[...Object.values(FIGURES), ...Object.values(SUBJECTS), ...EXTREMES, ...Object.values(STATES)].map(({ words }) => words).join('|')}|${FILLERS}|not|last|past|this|today|yesterday|top|vs|than|between|over|under|above|below|[\\d.,$%<>=]+)$`,
  'iu',
)
