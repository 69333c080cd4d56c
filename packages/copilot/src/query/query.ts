import { theLast, type TimeRange } from '@septet/domain'

import { judgePiece } from './judge-piece.ts'
import { isOverTime } from './over-time.ts'
import type { Condition, Meaning, Piece } from './line.ts'
import { type FieldName, type FigureName, FIGURES, nameOf, STATES, SUBJECTS, type SubjectName } from './vocabulary.ts'

/** What a line asks for. */
export type Query =
  | { readonly kind: 'why'; readonly workload: string }
  | {
      readonly kind: 'rows'
      readonly subject: SubjectName
      /** Shown as columns; the first orders the rows. Empty: they are counted alone. */
      readonly figures: readonly FigureName[]
      /** Whether only how many there are is asked for. */
      readonly isCount: boolean
      readonly where: readonly Condition[]
      readonly range: TimeRange
      readonly compare: TimeRange | 'before' | undefined
      readonly top: number | undefined
      readonly order: 'up' | 'down'
    }

/** A line as it was understood. */
export type Understood = {
  /** With what cannot be answered marked. */
  readonly pieces: readonly Piece[]
  /** Undefined unless all of the line can be answered. */
  readonly query: Query | undefined
  /** What is taken where the line says nothing, and could be said. */
  readonly assumed: readonly string[]
}

const DEFAULT_RANGE = theLast('24h')
const DEFAULT_FIGURE = {
  workloads: 'cost',
  namespaces: 'cost',
  tenants: 'cost',
  models: 'cost',
  pools: 'cost',
  nodes: 'cost',
  gpus: 'busy',
  recommendations: 'saving',
  fleet: undefined,
} as const satisfies Record<SubjectName, FigureName | undefined>

/** What the pieces of a line ask for together. Each piece either has its part in it or says why it cannot. */
export function understand(read: readonly Piece[]): Understood {
  const pieces = withoutDoubles(withIdleGpus(read))
  const [only] = pieces
  if (only?.meaning.kind === 'why') {
    const query = only.problem === undefined ? ({ kind: 'why', workload: only.meaning.workload } as const) : undefined
    return { pieces, query, assumed: [] }
  }
  const subject = subjectOf(pieces)
  const judged = pieces.map((piece, order) => judgePiece(piece, { pieces, order, subject }))
  const query = queryOf(meaningsOf(judged), pieces, subject)
  const timely = isOverTime(subject, query.figures, query.where) ? judged : judged.map((piece) => withoutTime(piece))
  const isWhole = timely.every(({ problem }) => problem === undefined) && (query.figures.length > 0 || query.isCount)
  return { pieces: timely, query: isWhole ? query : undefined, assumed: assumedOf(meaningsOf(judged), query) }
}

type RowQuery = Extract<Query, { kind: 'rows' }>

function queryOf(asked: Asked, pieces: readonly Piece[], subject: SubjectName): RowQuery {
  const top = asked('top')
  return {
    kind: 'rows',
    subject,
    figures: [...figuresOf(asked), ...ownFigure(asked, subject)],
    isCount: asked('count').length > 0,
    where: onlyOnce(asked('where').map(({ condition }) => condition)),
    range: asked('time')[0]?.range ?? DEFAULT_RANGE,
    compare: asked('compare')[0]?.range,
    top: top.find((each) => each.top !== undefined)?.top ?? (isOne(pieces) ? 1 : undefined),
    order: top.some(({ order }) => order === 'up') ? 'up' : 'down',
  }
}

/** What is taken of a subject where no figure is asked for; who only names something has asked for nothing. */
function ownFigure(asked: Asked, subject: SubjectName): readonly FigureName[] {
  const own = DEFAULT_FIGURE[subject]
  const isSaid = asked('subject').length > 0 || asked('where').some(({ condition }) => condition.kind === 'state')
  const hasOther = figuresOf(asked).length > 0 || asked('count').length > 0
  return own === undefined || hasOther || !isSaid ? [] : [own]
}

/** A time counts for nothing here, and must not be dropped in silence. */
const withoutTime = (piece: Piece): Piece =>
  piece.meaning.kind === 'time' && piece.problem === undefined
    ? { ...piece, problem: 'This is told as it is now. Leave the time out.', choices: [''] }
    : piece

const assumedOf = (asked: Asked, { subject, figures, where }: RowQuery): readonly string[] => [
  ...(asked('time').length === 0 && isOverTime(subject, figures, where) ? ['last 24 hours'] : []),
  ...ownFigure(asked, subject).map(nameOf),
]

/** Those that are named, those that an order is by, and those that are limited, each once. */
const figuresOf = (asked: Asked): readonly FigureName[] => [
  ...new Set([
    ...asked('figure').map(({ figure }) => figure),
    ...asked('top').flatMap(({ figure }) => figure ?? []),
    ...asked('where').flatMap(({ condition }) => (condition.kind === 'limit' ? [condition.figure] : [])),
  ]),
]

/** "Idle GPUs" is a figure of workloads where the line is about those, or gives a limit to them. */
function withIdleGpus(pieces: readonly Piece[]): readonly Piece[] {
  const at = pieces.findIndex(({ meaning }, order) => isIdle(meaning) && isOf(pieces[order + 1], 'gpus'))
  const [idle, gpus] = [pieces[at], pieces[at + 1]]
  const isOfOthers = pieces.some((piece) => isOf(piece, 'workloads')) || pieces[at - 1]?.meaning.kind === 'limit'
  if (idle === undefined || gpus === undefined || !isOfOthers) return pieces
  const meaning = { kind: 'figure', figure: 'idle' } as const
  return pieces.flatMap((piece, order) =>
    order === at ? [{ ...idle, to: gpus.to, meaning, says: FIGURES.idle.title }] : order === at + 1 ? [] : [piece],
  )
}

const isIdle = (meaning: Meaning): boolean =>
  meaning.kind === 'where' &&
  meaning.condition.kind === 'state' &&
  meaning.condition.state === 'idle' &&
  !meaning.condition.not
const isOf = (piece: Piece | undefined, subject: SubjectName): boolean =>
  piece?.meaning.kind === 'subject' && piece.meaning.subject === subject

/** "How many GPU-hours" asks for the figure, and workloads that hold GPUs are asked about, not those. */
function withoutDoubles(pieces: readonly Piece[]): readonly Piece[] {
  const isOfWorkloads = pieces.some((piece) => isOf(piece, 'workloads'))
  const isHeld = pieces.some(({ meaning }) => meaning.kind === 'figure' && meaning.figure === 'held')
  return pieces.filter((piece, order) => {
    if (piece.meaning.kind === 'count')
      return pieces[order + 1]?.meaning.kind !== 'figure' && !(isHeld && isOf(pieces[order + 1], 'gpus'))
    return !(isOfWorkloads && isHeld && isOf(piece, 'gpus'))
  })
}

/** "Which namespace costs the most" wants one. */
function isOne(pieces: readonly Piece[]): boolean {
  const isFirst = pieces.some(({ meaning }) => meaning.kind === 'top')
  return isFirst && pieces.some(({ meaning, isSingular }) => meaning.kind === 'subject' && isSingular === true)
}

/** "Queued workloads, longest wait first" says the same twice. */
const onlyOnce = (conditions: readonly Condition[]): readonly Condition[] => [
  ...new Map(conditions.map((each) => [JSON.stringify(each), each])).values(),
]

type Asked = <Kind extends Meaning['kind']>(kind: Kind) => readonly Extract<Meaning, { kind: Kind }>[]
const meaningsOf =
  (pieces: readonly Piece[]): Asked =>
  (kind) =>
    pieces.flatMap(({ meaning }) => (isKind(meaning, kind) ? [meaning] : []))

const isKind = <Kind extends Meaning['kind']>(
  meaning: Meaning,
  kind: Kind,
): meaning is Extract<Meaning, { kind: Kind }> => meaning.kind === kind

/** What the line is about: what it says, or what its conditions and figures are of. */
function subjectOf(pieces: readonly Piece[]): SubjectName {
  const asked = meaningsOf(pieces)
  const conditions = asked('where').map(({ condition }) => condition)
  const [ofState] = conditions.flatMap((each) => (each.kind === 'state' ? [STATES[each.state].of[0]] : []))
  return asked('subject')[0]?.subject ?? ofState ?? ofFigures(asked, conditions)
}

function ofFigures(asked: Asked, conditions: readonly Condition[]): SubjectName {
  const figures = asked('figure').map(({ figure }) => figure)
  if (figures.includes('saving')) return 'recommendations'
  const fields = [...new Set(conditions.flatMap((each) => (each.kind === 'names' ? [each.field] : [])))]
  const isOfWorkloads = figures.some((figure) => !SUBJECTS.namespaces.figures.includes(figure))
  if (isOfWorkloads || fields.length > 1) return 'workloads'
  const [field] = fields
  return field === undefined ? 'fleet' : OF_FIELD[field]
}

const OF_FIELD = {
  namespace: 'namespaces',
  tenant: 'tenants',
  model: 'models',
  pool: 'pools',
  node: 'nodes',
  workload: 'workloads',
} as const satisfies Record<FieldName, SubjectName>
