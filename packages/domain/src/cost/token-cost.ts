import { clampRatio, valueOf } from '../analyze/figure.ts'
import { type ServedRow, type ServedTokens, type ServingWorkload, sumIfKnown } from '../analyze/served-tokens.ts'
import type { WorkloadId } from '../cluster/workload.ts'
import { agree, percent, plural } from '../words.ts'
import { type GpuHours, gpuHours, type Ratio, ratio, type Usd, usd } from '../units.ts'
import { toMillionths } from './cost-parts.ts'
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
type GpuCost = { readonly hours: GpuHours | undefined; readonly usd: Usd | undefined }

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
  const serving = known.serving.get(workload)
  const tokens = sumTokens(rows.map(tokensOf))
  const share = shareIn(rows, tokens, known)
  const { hours, idleHours, cost, idleCost, busy } = pricedUse(workload, known)
  const of = (amount: number | undefined, part: number | undefined): number | undefined =>
    amount === undefined || share === undefined || part === undefined ? undefined : amount * share * part
  // Where nothing was measured, what was idle is not known either.
  const measured = busy === undefined ? undefined : 1
  return {
    workload,
    tokens,
    serving,
    allocated: { hours: of(hours, 1), usd: of(cost, 1) },
    busy: { hours: of(hours, busy), usd: of(cost, busy) },
    idle: { hours: of(idleHours, measured), usd: of(idleCost, measured) },
    unrated: whyUnrated({ ...(serving ?? UNHEARD), cost, share, split: known.split }),
    doubt: doubtOf(serving),
  }
}

/** Which part of its workload's cost some of its rows carry; undefined where that is unknown. */
function shareIn(rows: readonly ServedRow[], tokens: TokenAmounts, { rowsOf, split }: Known): number | undefined {
  const all = rowsOf.get(rows[0]?.workload ?? '') ?? []
  if (rows.length === all.length) return 1
  return split ? shareOf(tokens, sumTokens(all.map(tokensOf))) : undefined
}

/** What a workload held; without dollars where some of its GPUs have no price. */
function pricedUse(workload: WorkloadId, { usage, unpriced }: Known) {
  const own = usage.get(workload)
  const isPriced = !unpriced.has(workload)
  return {
    hours: own?.hours,
    idleHours: own?.idleHours,
    cost: isPriced ? own?.cost : undefined,
    idleCost: isPriced ? own?.idleCost : undefined,
    busy: own && valueOf(own.busy),
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
  const told = parts.length === 1 && only !== undefined ? sentencesOfOne(only) : sentencesOfSeveral(parts)
  return told.filter((sentence) => sentence !== undefined)
}

function sentencesOfOne({ tokens, unrated, busy, doubt }: Part): (string | undefined)[] {
  const why = unrated ?? (tokens.total === 0 ? 'it counted no tokens' : undefined)
  return [
    why && `No rate: ${why}.`,
    why === undefined && busy.usd === undefined ? 'No rate by busy time: its GPUs were not measured.' : undefined,
    doubt && `${doubt}.`,
  ]
}

function sentencesOfSeveral(parts: readonly Part[]): (string | undefined)[] {
  const all = plural(parts.length, 'workload')
  const left = parts.filter(({ unrated }) => unrated !== undefined)
  const unmeasured = parts.filter(({ unrated, busy }) => unrated === undefined && busy.usd === undefined).length
  const doubted = parts.filter(({ doubt }) => doubt !== undefined).length
  const [first] = left
  return [
    first &&
      `${left.length} of ${all} ${agree(left.length, 'is', 'are')} in no rate, such as ${first.workload}: ${first.unrated}.`,
    unmeasured === 0
      ? undefined
      : `${unmeasured} of ${all} ${agree(unmeasured, 'is', 'are')} in no rate by busy time: ${agree(unmeasured, 'its', 'their')} GPUs were not measured.`,
    doubted === 0
      ? undefined
      : `${plural(doubted, 'workload')} ${agree(doubted, 'has', 'have')} pods that count no tokens.`,
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
    usd: dollars === undefined ? undefined : usd(toMillionths(dollars)),
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
