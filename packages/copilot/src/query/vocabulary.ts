/** What can be asked for: the figures, what they are of, and the words that people have for both. */

export type FigureName =
  | 'cost'
  | 'idleCost'
  | 'gpuHours'
  | 'idleHours'
  | 'busy'
  | 'held'
  | 'idle'
  | 'duration'
  | 'saving'
export type FigureUnit = 'usd' | 'usd-month' | 'gpu-hours' | 'share' | 'gpus' | 'seconds'

type Figure = {
  readonly title: string
  readonly unit: FigureUnit
  /** Whether the figures of several rows add up. */
  readonly adds: boolean
  /** Alternatives of a regular expression, longest first. */
  readonly words: string
}

export const FIGURES: Readonly<Record<FigureName, Figure>> = {
  idleCost: {
    title: 'Idle cost',
    unit: 'usd',
    adds: true,
    words:
      'idle (?:cost|money|spend|dollars)|idle time costs?|idle time cost(?:ing)? us|cost of idle(?: time)?|wasted? (?:money|spend)|(?:money|dollars|spend) wasted?|wasted?|wastes|wasting',
  },
  idleHours: {
    title: 'Idle GPU-hours',
    unit: 'gpu-hours',
    adds: true,
    words: 'idle (?:gpu[- ])?(?:hours?|time)|idle gpu-h',
  },
  cost: {
    title: 'Cost',
    unit: 'usd',
    adds: true,
    words: 'costs?|costing|spend(?:ing)?|spent|bill|money|dollars|paid|pay(?:ing)?',
  },
  gpuHours: { title: 'GPU-hours', unit: 'gpu-hours', adds: true, words: 'gpu[- ]hours?|gpu-h' },
  busy: { title: 'Busy', unit: 'share', adds: false, words: 'busy(?: share)?|(?:gpu )?utili[sz](?:ation|ed)' },
  idle: { title: 'Idle GPUs', unit: 'gpus', adds: true, words: 'gpus? idle' },
  held: { title: 'GPUs held', unit: 'gpus', adds: true, words: 'gpus? held|held gpus?|hold(?:s|ing)?|held' },
  duration: {
    title: 'Run or wait time',
    unit: 'seconds',
    adds: false,
    words: '(?:wait(?:ing)?|queue|run(?:ning)?) time|duration|age',
  },
  saving: { title: 'Saving', unit: 'usd-month', adds: true, words: '(?:would )?(?:savings?|saves?)' },
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of this very object
export const FIGURE_NAMES = Object.keys(FIGURES) as readonly FigureName[]

/** A figure within a sentence. */
export const nameOf = (figure: FigureName): string =>
  FIGURES[figure].title.replace(/^[A-Z](?=[a-z])/u, (letter) => letter.toLowerCase())

export type SubjectName =
  | 'workloads'
  | 'namespaces'
  | 'tenants'
  | 'models'
  | 'pools'
  | 'nodes'
  | 'gpus'
  | 'recommendations'
  | 'fleet'

type Subject = {
  readonly one: string
  readonly many: string
  readonly words: string
  readonly figures: readonly FigureName[]
  /** What its rows can be told apart by. */
  readonly fields: readonly FieldName[]
  /** Whether it is asked over a time; what is not, is told as it is now. */
  readonly isTimed: boolean
}

export type FieldName = 'namespace' | 'tenant' | 'model' | 'pool' | 'node' | 'workload'

const OVER_TIME = ['cost', 'idleCost', 'gpuHours', 'idleHours', 'busy'] as const

const group = (one: FieldName, words: string, many = `${one}s`): Subject => ({
  one,
  many,
  words,
  figures: OVER_TIME,
  fields: [one],
  isTimed: true,
})

export const SUBJECTS: Readonly<Record<SubjectName, Subject>> = {
  workloads: {
    one: 'workload',
    many: 'workloads',
    words: '(?:gpu )?(?:workloads?|jobs?)',
    figures: [...OVER_TIME, 'held', 'idle', 'duration'],
    fields: ['namespace', 'tenant', 'model', 'workload'],
    isTimed: true,
  },
  namespaces: group('namespace', 'namespaces?|ns'),
  tenants: group('tenant', 'tenants?|teams?'),
  models: group('model', '(?:gpu )?(?:models?|types?)', 'GPU models'),
  pools: group('pool', '(?:node )?pools?'),
  nodes: group('node', '(?:gpu )?(?:nodes?|machines?|hosts?|servers?)'),
  gpus: {
    one: 'GPU',
    many: 'GPUs',
    words: 'gpus?|cards?',
    figures: ['busy'],
    fields: ['node', 'model', 'pool', 'workload', 'namespace'],
    isTimed: false,
  },
  recommendations: {
    one: 'recommendation',
    many: 'recommendations',
    words: 'recommendations?|changes',
    figures: ['saving'],
    fields: [],
    isTimed: false,
  },
  fleet: {
    one: 'fleet',
    many: 'the whole cluster',
    words: '(?:whole |entire )?(?:fleet|cluster)',
    figures: OVER_TIME,
    fields: [],
    isTimed: true,
  },
}

/** States by the words for them, and of what they can be. */
export const STATES = {
  waiting: { words: 'waiting|wait|waits|queued|pending|unscheduled', of: ['workloads'] },
  running: { words: 'running|run|runs|active', of: ['workloads'] },
  ended: { words: 'ended|finished|gone|completed', of: ['workloads'] },
  idle: { words: 'idle|unused', of: ['workloads', 'gpus'] },
  oversized: { words: 'oversized|over-provisioned|too (?:big|large)', of: ['workloads'] },
  faulty: { words: 'faulty|broken|failed|unhealthy|(?:with )?(?:a )?faults?', of: ['gpus'] },
  free: { words: 'free|unallocated|available', of: ['gpus'] },
  partitioned: { words: 'partitioned|(?:in )?mig(?: mode)?', of: ['gpus'] },
} as const satisfies Record<string, { readonly words: string; readonly of: readonly SubjectName[] }>
export type StateName = keyof typeof STATES

/** Superlatives: which figure they are of, where they say so, and from which end. */
export const EXTREMES: ReadonlyArray<{
  readonly words: string
  readonly figure?: FigureName
  readonly order: 'down' | 'up'
}> = [
  { words: 'most expensive|costliest|dearest', figure: 'cost', order: 'down' },
  { words: 'cheapest|least expensive', figure: 'cost', order: 'up' },
  { words: 'least (?:busy|used|utili[sz]ed)|(?:used|utili[sz]ed) (?:the )?least|idlest', figure: 'busy', order: 'up' },
  { words: 'busiest|most (?:busy|used|utili[sz]ed)|(?:used|utili[sz]ed) (?:the )?most', figure: 'busy', order: 'down' },
  { words: 'most wasteful|largest waste', figure: 'idleCost', order: 'down' },
  { words: 'longest(?: (?:wait(?:ing)?|running)(?= first))?|oldest', figure: 'duration', order: 'down' },
  { words: 'shortest|newest|latest', figure: 'duration', order: 'up' },
  { words: 'most|highest|largest|biggest|greatest|worst', order: 'down' },
  { words: 'least|lowest|smallest|fewest|fewer', order: 'up' },
]

/** They hold a sentence together and change nothing of what is asked. */
export const FILLERS =
  "the|a|an|of|is|are|was|were|be|been|what|what's|whats|which|who|show|me|list|give|get|tell|find|see|please|did|do|does|have|has|had|our|my|we|us|i|their|its|that|there|and|how much(?: money)?|each|every|all|much|with|any|could you|can you|break down|breakdown|total|overall|altogether|compare|compared|how|need|ranked|sort|sorted|ordered|first|'s|whose|where|by|per|for|in|on|at|using|use|uses|used"
