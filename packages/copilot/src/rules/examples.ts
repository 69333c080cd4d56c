import PHRASINGS from './phrasings.json' with { type: 'json' }
import { FAMILIES } from './families.ts'
import { SLOTS, type SlotName } from './family.ts'
import { timeIn } from './times.ts'
import { simplified, wordsOf } from './words.ts'

/** A question of which the family is known. */
export type Example = {
  readonly family: string
  readonly words: readonly string[]
  readonly slots: readonly SlotName[]
}

/** What narrows an answer, and does not tell what is asked. */
const NARROWING: ReadonlySet<string> = new Set<SlotName>(['range', 'count'])
const isNamed = (text: string): text is SlotName => SLOTS.some((slot) => slot === text && !NARROWING.has(slot))

function exampleOf(family: string, text: string): Example {
  return {
    family,
    words: wordsOf(timeIn(simplified(text.replaceAll(/\{\w+\}/gu, ' ')), 0).rest),
    slots: [...text.matchAll(/\{(\w+)\}/gu)].flatMap(([, name = '']) => (isNamed(name) ? [name] : [])),
  }
}

/** What is asked of one kind of thing can be asked of each, in the same words. */
const KINDS: ReadonlyMap<string, readonly [RegExp, string]> = new Map([
  ['namespace', [/\b(?:namespace|project)(s?)\b/giu, 'namespace']],
  ['tenant', [/\b(?:tenant|team|department)(s?)\b/giu, 'team']],
  ['model', [/\b(?:model|type|kind)(s?)\b/giu, 'model']],
  ['pool', [/\b(?:node )?pool(s?)\b/giu, 'pool']],
  ['node', [/\b(?:node|host|machine|server)(s?)\b/giu, 'node']],
])

/** The same question of the other kinds. */
function ofOtherKinds(family: string, text: string): readonly Example[] {
  const [, subject = '', kind = ''] = /^((?:usage|cost)-(?:by|of)-)(\w+)$/u.exec(family) ?? []
  const own = KINDS.get(kind)
  if (own === undefined || (subject.endsWith('by-') && text.search(own[0]) < 0)) return []
  return [...KINDS].flatMap(([other, [, noun]]) =>
    other === kind
      ? []
      : exampleOf(`${subject}${other}`, text.replaceAll(own[0], `${noun}$1`).replaceAll(`{${kind}}`, `{${other}}`)),
  )
}

const asked = FAMILIES.flatMap(({ id, asks }) => asks.map((ask) => [id, ask] as const))
const told = Object.entries<readonly string[]>(PHRASINGS).flatMap(([id, texts]) =>
  texts.map((text) => [id, text] as const),
)

/** Every way to ask that is known: those of the families, and `phrasings.json`. */
export const examples = (): readonly Example[] =>
  [...asked, ...told].flatMap(([family, text]) => [exampleOf(family, text), ...ofOtherKinds(family, text)])
