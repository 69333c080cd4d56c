import { clampRatio, valueOf } from '../analyze/figure.ts'
import { type ServedRow, type ServedTokens, type ServingWorkload, sumIfKnown } from '../analyze/served-tokens.ts'
import type { WorkloadId } from '../cluster/workload.ts'
import { agree, percent, plural } from '../words.ts'
import { type GpuHours, gpuHours, type Ratio, ratio, type Usd } from '../units.ts'
import { toCents } from './split-to-cents.ts'
import type { WorkloadUsage } from './workload-usage.ts'

/** What tokens cost on the GPUs that served them. Undefined is unknown. */
export type TokenGroup = {
  readonly key: string
  readonly workloads: readonly WorkloadId[]
  readonly models: readonly string[]
  readonly engines: readonly string[]
  readonly tokens: TokenAmounts
  /** All time for which its workloads held GPUs. */
  readonly allocated: GpuCost
  /** The part of it in which their compute engines were busy. */
  readonly busy: GpuCost
  /** The part of it that was held idle: the model was loaded, and nothing asked for it. */
  readonly idle: GpuCost
  /** How many of the workloads are in the rates: those whose tokens and cost are both known. */
  readonly rated: number
  /** Dollars for a million tokens, by all time held and by busy time. Each rate carries the whole cost: they do not add up. */
  readonly perMillion: { readonly allocated: TokenAmounts; readonly busy: TokenAmounts }
  /** Share of the GPU time for which tokens were counted. */
  readonly counted: Ratio
  /** What is unknown or left out and why, in sentences. */
  readonly because: readonly string[]
}
export type TokenAmounts = {
  readonly prompt: number | undefined
  readonly generation: number | undefined
  readonly total: number | undefined
}
export type GpuCost = { readonly hours: GpuHours | undefined; readonly usd: Usd | undefined }

export type TokenCostSources = {
  readonly served: ServedTokens
  /** What each workload held in the same window. */
  readonly workloads: readonly Pick<WorkloadUsage, 'id' | 'hours' | 'idleHours' | 'cost' | 'idleCost' | 'busy'>[]
  /** Workloads of whose GPUs some have no price. */
  readonly unpriced: ReadonlySet<WorkloadId>
  /** Whether the cost of a workload that serves several models is split by their tokens; else it is unknown by model. */
  readonly split: boolean
}

/** Under this share of its GPU time what a workload served is not known well enough to divide by. */
const WELL_COUNTED = 0.9

/** Tokens of known workloads and their cost by any text, dearest first. Those without a known workload are in no group. */
export function tokenCost(sources: TokenCostSources, keyOf: (row: ServedRow) => string): TokenGroup[] {
  const rows = sources.served.rows.filter(({ workload }) => workload !== '')
  const known = {
    split: sources.split,
    unpriced: sources.unpriced,
    usage: new Map(sources.workloads.map((usage) => [usage.id, usage])),
    serving: new Map(sources.served.workloads.map((serving) => [serving.workload, serving])),
    rowsOf: Map.groupBy(rows, ({ workload }) => workload),
  }
  return [...Map.groupBy(rows, keyOf)]
    .map(([key, own]) => groupOf(key, own, known))
    .toSorted(
      (a, b) => (b.allocated.usd ?? -1) - (a.allocated.usd ?? -1) || (b.tokens.total ?? -1) - (a.tokens.total ?? -1),
    )
}

type Known = Pick<TokenCostSources, 'split' | 'unpriced'> & {
  readonly usage: ReadonlyMap<WorkloadId, TokenCostSources['workloads'][number]>
  readonly serving: ReadonlyMap<WorkloadId, ServingWorkload>
  readonly rowsOf: ReadonlyMap<WorkloadId, readonly ServedRow[]>
}

/** One workload within a group. Dollars are not rounded yet. */
type Part = Record<
  'allocated' | 'busy' | 'idle',
  { readonly hours: number | undefined; readonly usd: number | undefined }
> & {
  readonly workload: WorkloadId
  readonly tokens: TokenAmounts
  readonly serving: ServingWorkload | undefined
  /** Why it is in no rate; undefined where it is. */
  readonly unrated: string | undefined
  /** Why its rates may be off. */
  readonly doubt: string | undefined
}

function groupOf(key: string, rows: readonly ServedRow[], known: Known): TokenGroup {
  const parts = [...Map.groupBy(rows, ({ workload }) => workload)].map(([id, own]) => partOf(id, own, known))
  const rated = parts.filter(({ unrated }) => unrated === undefined)
  const measured = rated.filter(({ busy }) => busy.usd !== undefined)
  const held = parts.map(({ allocated }) => allocated.hours ?? 0)
  const heldHours = sum(held)
  return {
    key,
    workloads: parts.map(({ workload }) => workload),
    models: distinct(rows.map(({ model }) => model)),
    engines: distinct(rows.flatMap(({ engines }) => engines)),
    tokens: sumTokens(parts.map((part) => part.tokens)),
    allocated: costOf(parts, 'allocated'),
    busy: costOf(parts, 'busy'),
    idle: costOf(parts, 'idle'),
    rated: rated.length,
    perMillion: {
      allocated: ratesOf(rated, 'allocated'),
      busy: ratesOf(measured, 'busy'),
    },
    counted: clampRatio(
      heldHours > 0
        ? sum(parts.map(({ serving }, order) => (serving?.counted ?? 0) * (held[order] ?? 0))) / heldHours
        : 0,
    ),
    because: sentencesOf(parts),
  }
}

function partOf(workload: WorkloadId, rows: readonly ServedRow[], known: Known): Part {
  const usage = known.usage.get(workload)
  const serving = known.serving.get(workload)
  const tokens = sumTokens(rows.map(tokensOf))
  const all = known.rowsOf.get(workload) ?? []
  const share = rows.length === all.length ? 1 : known.split ? shareOf(tokens, sumTokens(all.map(tokensOf))) : undefined
  const cost = known.unpriced.has(workload) ? undefined : usage?.cost
  const busy = usage && valueOf(usage.busy)
  const of = (amount: number | undefined, part: number | undefined = 1): number | undefined =>
    amount === undefined || share === undefined ? undefined : amount * share * part
  const measured = (hours: number | undefined, usd: number | undefined, part?: number) =>
    busy === undefined ? { hours: undefined, usd: undefined } : { hours: of(hours, part), usd: of(usd, part) }
  return {
    workload,
    tokens,
    serving,
    allocated: { hours: of(usage?.hours), usd: of(cost) },
    busy: measured(usage?.hours, cost, busy),
    idle: measured(usage?.idleHours, cost === undefined ? undefined : usage?.idleCost),
    unrated: whyUnrated({ ...(serving ?? UNHEARD), cost, share, split: known.split }),
    doubt: doubtOf(serving),
  }
}

const UNHEARD = { counted: ratio(0), beyond: ratio(0) }

type Judged = Pick<ServingWorkload, 'counted' | 'beyond'> & {
  readonly cost: Usd | undefined
  readonly share: number | undefined
  readonly split: boolean
}

function whyUnrated({ counted, beyond, cost, share, split }: Judged): string | undefined {
  if (share === undefined && split) return 'its tokens of each model are not known, so its cost cannot be split by them'
  if (share === undefined) return 'it serves several models; split its cost by tokens to see what each costs'
  if (cost === undefined) return 'some of its GPUs have no price'
  if (beyond > 1 - WELL_COUNTED) return 'it counted tokens for longer than it is known to have held GPUs'
  return counted < WELL_COUNTED
    ? `tokens were counted for only ${percent(counted, 0)} of the time in which it held GPUs`
    : undefined
}

const doubtOf = (serving: ServingWorkload | undefined): string | undefined =>
  serving === undefined || serving.silentPods === 0
    ? undefined
    : `${serving.silentPods} of its ${plural(serving.pods, 'pod')} ${agree(serving.silentPods, 'counts', 'count')} no tokens; ` +
      'unless these are workers of one engine, a million tokens cost less than shown'

/** About one workload as "it"; of several those that are left out, counted, with the first of them. */
function sentencesOf(parts: readonly Part[]): string[] {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) {
    const silent = only.tokens.total === 0 ? 'it counted no tokens' : undefined
    const unrated = only.unrated ?? silent
    const unmeasured = unrated === undefined && only.busy.usd === undefined
    return [
      unrated && `No rate: ${unrated}.`,
      unmeasured ? 'No rate by busy time: nobody measured its GPUs.' : undefined,
      only.doubt && `${only.doubt}.`,
    ].flatMap((text) => text ?? [])
  }
  const unrated = parts.flatMap(({ workload, unrated: why }) => (why === undefined ? [] : [{ workload, why }]))
  const doubted = parts.filter(({ doubt }) => doubt !== undefined)
  const unmeasured = parts.filter(({ unrated: why, busy }) => why === undefined && busy.usd === undefined)
  const [first] = unrated
  return [
    ...(first === undefined
      ? []
      : [
          `${unrated.length} of ${plural(parts.length, 'workload')} ${agree(unrated.length, 'is', 'are')} in no rate, such as ${first.workload}: ${first.why}.`,
        ]),
    ...(unmeasured.length === 0
      ? []
      : [
          `${unmeasured.length} of ${plural(parts.length, 'workload')} ${agree(unmeasured.length, 'is', 'are')} in no rate by busy time: nobody measured ${agree(unmeasured.length, 'its', 'their')} GPUs.`,
        ]),
    ...(doubted.length === 0
      ? []
      : [`${plural(doubted.length, 'workload')} ${agree(doubted.length, 'has', 'have')} pods that count no tokens.`]),
  ]
}

const tokensOf = ({ prompt, generation }: Pick<ServedRow, 'prompt' | 'generation'>): TokenAmounts => ({
  prompt,
  generation,
  total: sumIfKnown([prompt, generation]),
})

/** Tokens of several; a sum of which a part is unknown is unknown. */
export const sumTokens = (all: readonly Omit<TokenAmounts, 'total'>[]): TokenAmounts =>
  tokensOf({
    prompt: sumIfKnown(all.map(({ prompt }) => prompt)),
    generation: sumIfKnown(all.map(({ generation }) => generation)),
  })

const shareOf = ({ total }: TokenAmounts, { total: whole }: TokenAmounts): number | undefined =>
  total === undefined || whole === undefined || whole <= 0 ? undefined : total / whole

/** Of the parts that are known; undefined where none is. */
function costOf(parts: readonly Part[], basis: 'allocated' | 'busy' | 'idle'): GpuCost {
  const hours = sumKnown(parts.map((part) => part[basis].hours))
  const dollars = sumKnown(parts.map((part) => part[basis].usd))
  return {
    hours: hours === undefined ? undefined : gpuHours(hours),
    usd: dollars === undefined ? undefined : toCents(dollars),
  }
}

function ratesOf(parts: readonly Part[], basis: 'allocated' | 'busy'): TokenAmounts {
  const dollars = sumKnown(parts.map((part) => part[basis].usd))
  const tokens = sumTokens(parts.map((part) => part.tokens))
  const rate = (count: number | undefined): number | undefined =>
    dollars === undefined || count === undefined || count <= 0 ? undefined : (dollars / count) * 1e6
  return { prompt: rate(tokens.prompt), generation: rate(tokens.generation), total: rate(tokens.total) }
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

function sumKnown(amounts: readonly (number | undefined)[]): number | undefined {
  const known = amounts.filter((amount) => amount !== undefined)
  return known.length === 0 ? undefined : sum(known)
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)].filter((name) => name !== '').toSorted()
