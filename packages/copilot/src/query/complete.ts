import { COPILOT_QUESTIONS } from '@septet/contract/copilot-questions'

import type { Piece } from './line.ts'
import type { Names } from './names.ts'
import { FIGURE_NAMES, nameOf, STATES, SUBJECTS } from './vocabulary.ts'

/** A way to go on with a line: the whole line, and what of it is new. */
export type Completion = { readonly line: string; readonly label: string; readonly kind: string }

type Offer = { readonly text: string; readonly kind: string }

const of = (kind: string, texts: readonly string[]): readonly Offer[] => texts.map((text) => ({ text, kind }))

const FIGURE_OFFERS = of('Figure', [...FIGURE_NAMES.map(nameOf), 'how many'])
const SUBJECT_OFFERS = of(
  'Of what',
  Object.values(SUBJECTS).flatMap(({ many }) => (many === SUBJECTS.fleet.many ? [] : [many])),
)
const TIME_OFFERS = of('When', [
  'last 24 hours',
  'last 7 days',
  'today',
  'yesterday',
  'this week',
  'last week',
  'this month',
  'last month',
])
const COMPARE_OFFERS = of('Compared with', ['vs the time before', 'vs last week', 'vs last month'])
const WHERE_OFFERS = of('Condition', [...Object.keys(STATES), 'busy < 20%', 'cost > $100'])
const TOP_OFFERS = of('Order', ['top 10', 'top 5', 'least busy', 'most expensive'])

const MOST = 8

/** How a line may go on: what begins as its last word does, or what it does not have yet. */
export async function completionsOf(
  line: string,
  pieces: readonly Piece[],
  names: Names,
): Promise<readonly Completion[]> {
  const [, before = '', word = ''] = /^(.*?)(\S*)$/su.exec(line) ?? []
  const kinds = new Set(pieces.map(({ meaning }) => meaning.kind))
  const open = (kind: Piece['meaning']['kind'], offers: readonly Offer[]): readonly Offer[] =>
    kinds.has(kind) ? [] : offers
  const offers = [
    ...open('figure', FIGURE_OFFERS),
    ...open('subject', SUBJECT_OFFERS),
    ...open('time', TIME_OFFERS),
    ...WHERE_OFFERS,
    ...(kinds.has('time') ? open('compare', COMPARE_OFFERS) : []),
    ...open('top', TOP_OFFERS),
  ]
  if (word === '') {
    if (line === '') return []
    // Two of each kind: what there is to add, not all the ways to add one thing.
    return offers
      .filter((offer, _, all) => all.filter(({ kind }) => kind === offer.kind).indexOf(offer) < 2)
      .slice(0, MOST)
      .map(({ text, kind }) => ({ line: `${line}${text}`, label: text, kind }))
  }
  const typed = word.toLowerCase()
  const begun = offers.filter(({ text }) => text.toLowerCase().startsWith(typed) && text.toLowerCase() !== typed)
  const called = word.length < 2 ? [] : await names.like(word, MOST)
  const named = called
    .filter(({ name }) => name.toLowerCase() !== typed)
    .map(({ field, name }) => ({ text: name, kind: field }))
  const words = line.trim().toLowerCase().split(/\s+/u)
  const asked = Object.values(COPILOT_QUESTIONS)
    .filter((text) => words.every((each) => text.toLowerCase().includes(each)))
    .map((text) => ({ line: text, label: text, kind: 'Question' }))
  return [
    ...[...begun, ...named].map(({ text, kind }) => ({ line: `${before}${text} `, label: text, kind })),
    ...asked,
  ].slice(0, MOST)
}
