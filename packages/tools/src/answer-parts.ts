import { figureInWords, intervalWords } from '@septet/contract/figure-words'
import { BlockSchema, GpuViewSchema, RangeText, type FigureView, type Says } from '@septet/contract'
import { z } from 'zod'

/** Which cluster, of when and over which window: what every answer begins with. */
export const ABOUT = {
  cluster: z.object({ id: z.string(), name: z.string(), kind: z.string() }),
  asOf: z.string().nullable().describe('when the newest data was read; null: sample data, or nothing was read yet'),
  window: z.object({ from: z.string(), to: z.string() }).nullable(),
  age: z
    .string()
    .optional()
    .describe(
      'how old the figures are, where they do not reach asOf; how much of the past is read, where they are too low for it: quote it',
    ),
  unknownDays: z.number().optional(),
  page: z.string().describe('the page of the dashboard that shows the same'),
  says: z.array(z.string()).describe('the answer in sentences: quote these'),
}

type Answered = {
  readonly source: { readonly id: string; readonly name: string; readonly kind: string }
  readonly asOf: string | null
  readonly window: { readonly from: string; readonly to: string } | null
  readonly age?: string | undefined
  readonly unknownDays?: number | undefined
  readonly says?: Says
}

/** What an answer begins with, in the operation's own sentences; `page` is a path below `/dashboard`, without the cluster. */
export function aboutOf(
  { source, asOf, window, age, unknownDays, says = [] }: Answered,
  page: string,
  query: Query = {},
) {
  return {
    cluster: source,
    asOf,
    window,
    ...(age !== undefined && { age }),
    ...(unknownDays !== undefined && { unknownDays }),
    page: pageOf(page, { cluster: source.id, ...query }),
    says: textsOf(says),
  }
}

/** A context holds so many sentences. */
const MOST_SAID = 20
export const textsOf = (says: Says): string[] => says.slice(0, MOST_SAID).map(({ text }) => text)

type Query = Readonly<Record<string, string | undefined>>

export function pageOf(path: string, query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `/dashboard${path}?${new URLSearchParams(given).toString()}`
}

/** A number that says what it is, as people read it, and where it comes from. */
export const SHOWN_FIGURE = z
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
type ShownFigure = z.output<typeof SHOWN_FIGURE>

/** A schema that makes what it takes short; what is short already it leaves, as the protocol reads answers again. */
const shortened = <Given, Schema extends z.ZodType>(shorten: (given: Given) => unknown, schema: Schema) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it takes what is made short, and what is made of that
  z.preprocess((given) => shorten(given as Given), schema) as unknown as z.ZodType<z.output<Schema>, Given>

/** A figure of an operation. */
export const FIGURE = shortened(
  (given: FigureView | ShownFigure) => ('says' in given ? given : figureOf(given)),
  SHOWN_FIGURE,
)

/** The figures among the parts of an answer, by their names. */
export const FIGURES = shortened(
  (parts: object) => Object.fromEntries(Object.entries(parts).filter(([, part]) => 'unit' in Object(part))),
  z.record(z.string(), FIGURE),
)

/** A GPU as a slice bar, `slots` memory slices wide. */
const BAR = GpuViewSchema.pick({ index: true, model: true, mode: true, slots: true }).extend({
  blocks: z.array(BlockSchema.pick({ kind: true, start: true, size: true, profile: true, busy: true, holder: true })),
})

/** GPUs that a plan changes, now and after its last step; `after` is null where the node goes. */
export const BARS = z.array(z.object({ node: z.string(), before: BAR, after: BAR.nullable() }))

/** As many as a context has room for. */
export const MOST_GPUS = 4

export function figureOf(figure: FigureView): ShownFigure {
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
export const brief = (value: number): number => Math.round(value * 100) / 100
export const AMOUNT = shortened((amount: number | null) => amount && brief(amount), z.number().nullable())

/** A share to a hundredth of a percent. */
export const SHARE = shortened(
  (share: number | null) => share && Math.round(share * 10_000) / 10_000,
  z.number().nullable(),
)

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
