import { QUICK_RANGE_MS, theLast } from '@septet/domain'
import { listed } from '@septet/domain/words'

import type { Condition, Meaning, Piece } from './line.ts'
import { type FigureName, FIGURES, type FigureUnit, nameOf, STATES, SUBJECTS, type SubjectName } from './vocabulary.ts'

type Around = { readonly pieces: readonly Piece[]; readonly order: number; readonly subject: SubjectName }
type Of<Kind extends Meaning['kind']> = Extract<Meaning, { kind: Kind }>
/** A sentence that says why a piece has no part in its line, and what may stand there; undefined where it has. */
type Objection = Pick<Piece, 'problem'> & Partial<Pick<Piece, 'choices'>>

/** A piece in its line: a limit gets its figure, and what this subject cannot answer a problem. */
export function judgePiece(piece: Piece, around: Around): Piece {
  const { meaning } = piece
  if (piece.problem !== undefined) return piece
  if (meaning.kind === 'limit') return limitIn(piece, meaning, around)
  if (meaning.kind === 'where') return conditionIn(piece, meaning.condition, around.subject)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each objects to its own kind
  const object = OBJECT[meaning.kind] as (meaning: Meaning, around: Around) => Objection | undefined
  return { ...piece, ...object(meaning, around) }
}

const no = (problem: string, choices?: readonly string[]): Objection => ({ problem, ...(choices && { choices }) })
const isSecond = ({ pieces, order }: Around): boolean =>
  pieces.findIndex((each) => each.meaning.kind === pieces[order]?.meaning.kind && each.problem === undefined) < order

type Objecting = {
  readonly [Kind in Exclude<Meaning['kind'], 'limit' | 'where'>]: (
    meaning: Of<Kind>,
    around: Around,
  ) => Objection | undefined
}

const OBJECT: Objecting = {
  subject: (_, around) =>
    isSecond(around)
      ? no(`This line already asks about ${SUBJECTS[around.subject].many}. Ask about one kind of thing.`)
      : undefined,
  figure: ({ figure }, { subject }) => unknownFigure(figure, subject),
  count: (_, { subject }) =>
    subject === 'fleet' ? no('Say what to count: workloads, GPUs, nodes, namespaces.') : undefined,
  top: ({ figure, order }, { subject, pieces }) => {
    if (isOtherWay(order, pieces)) return no('This line asks for the largest and the smallest first. Choose one.')
    if (subject === 'fleet') return no('Say of what: workloads, namespaces, nodes, GPU models.')
    return figure === undefined ? undefined : unknownFigure(figure, subject)
  },
  time: (_, around) => {
    if (isSecond(around)) return no('This line has a time already. “vs” compares two.')
    const { many, isTimed } = SUBJECTS[around.subject]
    return isTimed ? undefined : no(`${many} are told as they are now. Leave the time out.`, [''])
  },
  compare: ({ ms }, around) => {
    if (isSecond(around)) return no('Compare two times at once.')
    if (ms !== undefined && ms !== lengthOf(around.pieces))
      return no('The time before is as long as the one that it is compared with.', ['vs the time before'])
    const { many, isTimed } = SUBJECTS[around.subject]
    return isTimed && around.subject !== 'workloads'
      ? undefined
      : no(`${many} cannot be compared over time. Namespaces, tenants, models, pools, nodes and the cluster can.`)
  },
  now: (_, { subject }) =>
    SUBJECTS[subject].isTimed && subject !== 'workloads'
      ? no('These figures are of a stretch of time.', ['last hour'])
      : undefined,
  why: () => no('Ask why alone.'),
  unknown: () => undefined,
}

function unknownFigure(figure: FigureName, subject: SubjectName): Objection | undefined {
  const { figures, many } = SUBJECTS[subject]
  if (figures.includes(figure)) return undefined
  const known = figures.map((one) => nameOf(one))
  return no(`${FIGURES[figure].title} of ${many} is unknown. Known: ${listed(known)}.`)
}

/** Of the time in a line, milliseconds; undefined for one of the calendar. */
function lengthOf(pieces: readonly Piece[]): number | undefined {
  const range = pieces.flatMap(({ meaning }) => (meaning.kind === 'time' ? [meaning.range] : []))[0] ?? theLast('24h')
  if (range.kind === 'calendar') return undefined
  return range.kind === 'quick' ? QUICK_RANGE_MS[range.name] : range.window.to - range.window.from
}

/** Whether another piece of a line wants the other end first. */
const isOtherWay = (order: 'up' | 'down' | undefined, pieces: readonly Piece[]): boolean =>
  order !== undefined &&
  pieces.some(({ meaning }) => meaning.kind === 'top' && meaning.order !== undefined && meaning.order !== order)

function conditionIn(piece: Piece, condition: Condition, subject: SubjectName): Piece {
  const { many, fields } = SUBJECTS[subject]
  if (condition.kind === 'names')
    return fields.includes(condition.field)
      ? piece
      : { ...piece, problem: `${many} cannot be chosen by ${condition.field}. Workloads and GPUs can.` }
  if (condition.kind === 'limit') return piece
  const of: readonly SubjectName[] = STATES[condition.state].of
  return of.includes(subject)
    ? piece
    : { ...piece, problem: `“${condition.state}” applies to ${listed(of)}, not to ${many}.` }
}

const FIGURES_OF: Readonly<Record<FigureUnit, readonly FigureName[]>> = {
  share: ['busy'],
  usd: ['cost', 'idleCost', 'saving'],
  'usd-month': ['saving'],
  'gpu-hours': ['gpuHours', 'idleHours'],
  gpus: ['held', 'idle'],
  seconds: ['duration'],
}
/** A limit without a unit is read in the figure's own, where a bare number leaves no doubt. */
const BARE: ReadonlySet<FigureUnit> = new Set(['usd', 'usd-month', 'gpu-hours', 'gpus'])

function limitIn(piece: Piece, limit: Of<'limit'>, around: Around): Piece {
  const { subject } = around
  const unit = (limit.above ?? limit.below)?.unit
  const figure = limitedBy(unit, around)
  const known = SUBJECTS[subject].figures.map((one) => nameOf(one))
  if (figure === undefined && unit === undefined)
    return { ...piece, problem: 'Give the number a unit: %, $, GPU-h, GPUs, h or d.' }
  if (figure === undefined)
    return {
      ...piece,
      problem: `Nothing known of ${SUBJECTS[subject].many} is limited by this. Known: ${listed(known)}.`,
    }
  const condition = { kind: 'limit', figure, above: limit.above, below: limit.below } as const
  return { ...piece, says: `${nameOf(figure)} ${piece.says}`, meaning: { kind: 'where', condition } }
}

/** The figure that a limit is of: the one beside it, else the nearest before it that has such a unit, else the first that has. */
function limitedBy(unit: FigureUnit | undefined, { pieces, order, subject }: Around): FigureName | undefined {
  const at = (place: number): readonly FigureName[] => {
    const meaning = pieces[place]?.meaning
    return meaning?.kind === 'figure' ? [meaning.figure] : []
  }
  const [beside] = [...at(order - 1), ...at(order + 1)]
  const before = pieces.slice(0, order).flatMap((_, place) => at(place))
  const near =
    beside === undefined ? [...before.toReversed(), ...(unit === undefined ? [] : FIGURES_OF[unit])] : [beside]
  return near.find(
    (figure) =>
      SUBJECTS[subject].figures.includes(figure) &&
      (unit === undefined ? BARE.has(FIGURES[figure].unit) : FIGURES_OF[unit].includes(figure)),
  )
}
