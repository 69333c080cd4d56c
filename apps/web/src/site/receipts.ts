import { z } from 'zod'

import words from '../../content/receipts.json'
import claims from '../../content/claims.json'
import { repositoryPath, routeOf } from './doc-routes.ts'

const FILES = import.meta.glob<string>('../../../../docs/receipts/*.json', {
  eager: true,
  query: '?raw',
  import: 'default',
})

/** Undefined where a measurement is missing: that is not 0. */
const Measured = z.number().optional().catch(undefined)
const Shown = z.union([z.string(), z.number()]).catch('unknown')
const Line = z.string().default('')

const FigureFields = z.object({
  name: z.string(),
  figure: Measured,
  unit: z.string(),
  baseline: z.object({ name: z.string(), figure: Measured }).optional(),
  aim: Line,
  note: Line,
})

const Common = z.object({
  figures: z.array(FigureFields),
  command: z.string(),
  date: z.iso.date(),
  machine: z
    .object({ cores: Shown, memoryGib: Shown, platform: Shown, node: Shown })
    .transform((of) => `${of.cores} cores, ${of.memoryGib} GiB, ${of.platform}, Node ${of.node}`),
})

/** What the site claims. */
const ClaimFields = Common.extend({
  kind: z.enum(['measured', 'published', 'not-reached', 'target'], 'does not say how it stands with the claim'),
  words: z.string(),
  says: z.string(),
  saysNot: z.string(),
  input: z.string(),
  sources: z.array(z.string()),
})

/** What is measured beside that. */
const OtherFields = Common.extend({ description: z.string() })

/** One figure as its receipt has it. */
export type ReceiptFigure = z.infer<typeof FigureFields>

/** A measurement with what it takes to make it again. */
export type Receipt = Omit<z.infer<typeof Common>, 'machine'> & {
  readonly machine: string
  /** The anchor on the page of receipts. */
  readonly id: string
  readonly title: string
  /** What is true, or what was measured on what; sentences. */
  readonly says: string
  /** Its file as it is, on this site. */
  readonly json: string
  /** Only for what the site claims. */
  readonly claim?: Pick<z.infer<typeof ClaimFields>, 'kind' | 'saysNot' | 'input' | 'sources'>
}

/** Reads one receipt. Throws with its path when something that every receipt has is missing. */
export function receiptOf(path: string, text: string): Receipt {
  const fields: object = JSON.parse(text)
  const read = ('kind' in fields ? ClaimFields : OtherFields).safeParse(fields)
  const json = routeOf(repositoryPath(path))
  if (!read.success || json === undefined)
    throw new Error(`${path} is no receipt: ${read.success ? 'its place is not known' : z.prettifyError(read.error)}`)
  const id = json.replace(/^\/receipts\/|\.json$/gu, '')
  const { figures, command, date, machine } = read.data
  const shared = { id, json, figures, command, date, machine }
  if ('description' in read.data) {
    const titles: Readonly<Record<string, string>> = words.titles
    return { ...shared, title: titles[id] ?? id, says: read.data.description }
  }
  const { words: title, says, kind, saysNot, input, sources } = read.data
  return { ...shared, title, says, claim: { kind, saysNot, input, sources } }
}

/** Every receipt in docs/receipts: claims in the order of the first page, then the others. One of another shape stops the build. */
export const RECEIPTS: readonly Receipt[] = Object.entries(FILES)
  .map(([path, text]) => receiptOf(path, text))
  .toSorted((a, b) => rank(a) - rank(b) || a.id.localeCompare(b.id, 'en', { numeric: true }))

function rank({ id, claim }: Receipt): number {
  const place = claims.claims.findIndex((each) => each.id === id)
  return claim === undefined ? claims.claims.length + 1 : place < 0 ? claims.claims.length : place
}

/** The files themselves, by their path on the site. */
export const RECEIPT_FILES: ReadonlyMap<string, string> = new Map(
  Object.entries(FILES).map(([path, text]) => [receiptOf(path, text).json, text]),
)

/**
 * One figure of a receipt, which is named as its file is. Throws when there is none of that name, so that a page cannot say
 * a number that no receipt has.
 */
export function receiptFigure(receipt: string, name: string): ReceiptFigure & { readonly figure: number } {
  const found = RECEIPTS.find(({ id }) => id === receipt.replace(/^claim-/u, ''))
  if (found === undefined) throw new Error(`There is no docs/receipts/${receipt}.json`)
  const figure = found.figures.find((each) => each.name === name)
  if (figure?.figure === undefined) throw new Error(`docs/receipts/${receipt}.json has no figure “${name}”`)
  return { ...figure, figure: figure.figure }
}
