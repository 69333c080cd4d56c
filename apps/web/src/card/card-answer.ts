import type { BlockView, GpuView } from '@septet/contract'
import { duration } from '@septet/domain/words'

import type { PlannedGpu } from '../ui/GpusBeforeAfter.tsx'
import type { ToolResult } from './host.ts'

export type CardFigure = { readonly says: string; readonly value: number | null; readonly because?: string }
type Figures<Name extends string> = Readonly<Record<Name, CardFigure>>

/** What every answer begins with. */
export type About = {
  readonly cluster: { readonly name: string; readonly kind: string }
  readonly asOf: string | null
  readonly window: { readonly from: string; readonly to: string } | null
  readonly page: string
}

export type FleetAnswer = About & {
  readonly health: { readonly headline: string; readonly problems: readonly string[] }
  readonly capacity: { readonly nodes: number; readonly gpus: number; readonly readyGpus: number }
  readonly workloads: { readonly running: number; readonly queued: number }
  readonly utilization: Figures<'busy' | 'busyOfAllocated' | 'allocated'>
  readonly cost: Figures<
    'capacity' | 'used' | 'notMeasured' | 'oversized' | 'idleHeld' | 'unallocated' | 'stranded' | 'broken'
  >
}

export type TrendAnswer = About & {
  readonly points: readonly {
    readonly at: string
    readonly busy: number | null
    readonly allocated: number | null
  }[]
}

export type PlanAnswer = About & {
  readonly title: string
  readonly because: string | null
  readonly steps: readonly string[]
  readonly displaced: readonly string[]
  readonly takes: string | null
  readonly bound: string | null
  readonly refused: readonly string[]
  readonly wayBack: readonly string[]
  readonly lost: readonly string[]
  /** Those that change, now and after the last step. */
  readonly gpus: readonly PlannedGpu[]
}

export type AdviceAnswer = About & {
  readonly total: number
  readonly rows: readonly { readonly title: string; readonly saving: string; readonly risk: string | null }[]
}

/** What a card shows. */
export type CardAnswer =
  | { readonly kind: 'fleet'; readonly of: FleetAnswer }
  | { readonly kind: 'trend'; readonly of: TrendAnswer }
  | { readonly kind: 'plan'; readonly of: PlanAnswer }
  | { readonly kind: 'advice'; readonly of: AdviceAnswer }
  | { readonly kind: 'refused'; readonly words: string }

/** Tells the tools apart by what they answer: a host need not say which one it called. */
export function answerOf({ isError, structuredContent, content = [] }: ToolResult): CardAnswer {
  const words = content.map(({ text = '' }) => text).join(' ')
  if (isError === true) return { kind: 'refused', words }
  if (isShaped<FleetAnswer>(structuredContent, FLEET)) return { kind: 'fleet', of: structuredContent }
  if (isShaped<TrendAnswer>(structuredContent, TREND)) return { kind: 'trend', of: structuredContent }
  if (isShaped<Drafted>(structuredContent, DRAFT)) return { kind: 'plan', of: draftedPlan(structuredContent) }
  if (isShaped<Advised>(structuredContent, ADVICE)) return advised(structuredContent)
  return { kind: 'refused', words: words === '' ? 'This answer has no card.' : words }
}

const ABOUT = ['cluster', 'page']
const FLEET = [...ABOUT, 'health', 'utilization', 'cost']
const TREND = [...ABOUT, 'points']
const DRAFT = [...ABOUT, 'steps', 'wayBack', 'title']
const ADVICE = [...ABOUT, 'recommendations', 'total']

/** The server's own answers come here, so that the names of an answer say which it is. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it is the type that a caller is told
const isShaped = <Shape>(value: unknown, names: readonly string[]): value is Shape =>
  typeof value === 'object' && value !== null && names.every((name) => name in value)

type Drafted = Omit<PlanAnswer, 'takes' | 'gpus'> & { readonly seconds: Seconds | null; readonly gpus: Bars }
type Seconds = { readonly low: number; readonly high: number; readonly source: string }

const draftedPlan = ({ seconds, gpus, ...plan }: Drafted): PlanAnswer => ({
  ...plan,
  takes: seconds === null ? null : takesWords(seconds),
  gpus: gpus.map(plannedOf),
})

const takesWords = ({ low, high, source }: Seconds): string => `${duration(low)} to ${duration(high)}, ${source}`

type Row = AdviceAnswer['rows'][number] & { readonly message: string; readonly refused: readonly string[] }
type Bar = Omit<GpuView, 'id' | 'fault' | 'blocks'> & {
  readonly blocks: readonly Omit<BlockView, 'placement' | 'because'>[]
}
type Bars = readonly { readonly node: string; readonly before: Bar; readonly after: Bar | null }[]
type Detail = Pick<PlanAnswer, 'steps' | 'wayBack' | 'displaced' | 'bound'> & {
  readonly gpus: Bars
}
type Advised = About & {
  readonly total: number
  readonly recommendations: readonly Row[]
  readonly detail: Detail | null
}

function advised({ recommendations, detail, ...about }: Advised): CardAnswer {
  const [first] = recommendations
  if (detail === null || first === undefined) return { kind: 'advice', of: { ...about, rows: recommendations } }
  const { gpus, ...plan } = detail
  return {
    kind: 'plan',
    of: {
      ...about,
      ...plan,
      title: first.title,
      because: plan.steps.length === 0 ? first.message : null,
      refused: first.refused,
      takes: null,
      lost: [],
      gpus: gpus.map(plannedOf),
    },
  }
}

const plannedOf = ({ node, before, after }: Bars[number]): PlannedGpu => ({
  node,
  before: viewOf(node, before),
  after: after === null ? null : viewOf(node, after),
})

const viewOf = (node: string, bar: Bar): GpuView => ({
  ...bar,
  id: `${node}#${bar.index}`,
  fault: null,
  blocks: bar.blocks.map((block) => ({ ...block, placement: 'reported', because: null })),
})
