import { figureInWords, intervalWords } from '@septet/contract/figure-words'
import { RangeText, type FigureView, type GpuView, type OPERATIONS, type OutputOf } from '@septet/contract'
import { z } from 'zod'

/** Which cluster, of when and over which window: what every answer begins with. */
export const ABOUT = {
  cluster: z.object({ id: z.string(), name: z.string(), kind: z.string() }),
  asOf: z.string().nullable().describe('when the newest data was read; null: sample data, or nothing was read yet'),
  window: z.object({ from: z.string(), to: z.string() }).nullable(),
  page: z.string().describe('the page of the dashboard that shows the same'),
}

type Answered = {
  readonly source: { readonly id: string; readonly name: string; readonly kind: string }
  readonly asOf: string | null
  readonly window: { readonly from: string; readonly to: string } | null
}

/** What an answer begins with; `page` is a path below `/dashboard`, without the cluster. */
export function aboutOf({ source, asOf, window }: Answered, page: string, query: Query = {}) {
  return { cluster: source, asOf, window, page: pageOf(page, { cluster: source.id, ...query }) }
}

type Query = Readonly<Record<string, string | undefined>>

export function pageOf(path: string, query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `/dashboard${path}?${new URLSearchParams(given).toString()}`
}

/** A number that says what it is, as people read it, and where it comes from. */
export const FIGURE = z
  .object({
    says: z.string().describe('quote this'),
    value: z.number().nullable(),
    unit: z.string(),
    quality: z.string(),
    because: z.string().optional(),
    interval: z.string().optional(),
    formula: z.string(),
    source: z.string(),
  })
  .meta({ id: 'figure' })

/** A GPU as a slice bar, `slots` memory slices wide. */
const BAR = z.object({
  index: z.number(),
  model: z.string(),
  mode: z.string(),
  slots: z.number(),
  blocks: z.array(
    z.object({
      kind: z.string(),
      start: z.number(),
      size: z.number(),
      profile: z.string().nullable(),
      busy: z.number().nullable(),
      holder: z.string().nullable(),
    }),
  ),
})

/** GPUs that a plan changes, now and after its last step; `after` is null where the node goes. */
export const BARS = z.array(z.object({ node: z.string(), before: BAR, after: BAR.nullable() }))

/** As many as a context has room for. */
const MOST_GPUS = 4

type Planned = OutputOf<typeof OPERATIONS.plansDraft>['gpus']

export const barsOf = (gpus: Planned): z.output<typeof BARS> =>
  gpus.slice(0, MOST_GPUS).map(({ node, before, after }) => ({
    node,
    before: barOf(before),
    after: after === null ? null : barOf(after),
  }))

const barOf = ({ index, model, mode, slots, blocks }: GpuView): z.output<typeof BAR> => ({
  index,
  model,
  mode,
  slots,
  blocks: blocks.map(({ kind, start, size, profile, busy, holder }) => ({ kind, start, size, profile, busy, holder })),
})

export function figureOf(figure: FigureView): z.output<typeof FIGURE> {
  const words = figureInWords(figure)
  const interval = intervalWords(figure)
  return {
    says: `${words.value}${words.unit}`,
    value: figure.value,
    unit: figure.unit,
    quality: figure.quality,
    ...(figure.because === null ? {} : { because: figure.because }),
    ...(interval === undefined ? {} : { interval }),
    formula: figure.explain.formula,
    source: figure.explain.source,
  }
}

/** To two decimals: further digits take up a context and say nothing. */
export const brief = <Value extends number | null>(value: Value): Value =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a number stays one, and null null
  (value === null ? null : Math.round(value * 100) / 100) as Value

/** The same figures by name. */
export const figuresOf = <Name extends string>(
  figures: Readonly<Record<Name, FigureView>>,
): Record<Name, z.output<typeof FIGURE>> => mapped(figures, figureOf)

function mapped<Name extends string, From, To>(
  record: Readonly<Record<Name, From>>,
  change: (from: From) => To,
): Record<Name, To> {
  const entries = Object.entries<From>(record).map(([name, value]) => [name, change(value)])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same names as before
  return Object.fromEntries(entries) as Record<Name, To>
}

/** What tools ask with. */
export const CLUSTER = { cluster: z.string().max(200).optional().describe('id; the first when left out') }
export const RANGE = {
  range: RangeText.default('24h').describe(
    '1h, 6h, 24h, 7d, 30d, today, week, month, last-week last-month (`month@Europe/Berlin`) or FROM/TO (RFC 3339)',
  ),
}

/** So many rows: what a context holds. */
export const rows = (standard: number, most = 100) => ({
  limit: z.number().int().min(1).max(most).default(standard),
})

export const offset = { offset: z.number().int().min(0).max(1_000_000).default(0) }
/** How many there are, whatever was cut off. */
export const TOTAL = z.number().int()
