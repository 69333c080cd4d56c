import { routeOf } from '../doc-routes.ts'
import { ReceiptFields } from './receipt-fields.ts'

/** How a claim stands, with the words that every page uses for it. */
export const KIND_WORDS = {
  measured: 'measured',
  published: 'published by others',
  'not-reached': 'not reached',
  target: 'target',
} as const

export type ReceiptKind = keyof typeof KIND_WORDS

/** One figure as its receipt has it; undefined where the receipt has no number. */
export type ReceiptFigure = {
  readonly name: string
  readonly figure: number | undefined
  readonly unit: string
  readonly baseline: { readonly name: string; readonly figure: number | undefined } | undefined
  readonly aim: string
  readonly note: string
}

/** A measurement with what it takes to make it again. */
export type Receipt = {
  /** The anchor on the page of receipts. */
  readonly id: string
  readonly title: string
  /** What is true, or what was measured on what; sentences. */
  readonly says: string
  readonly figures: readonly ReceiptFigure[]
  readonly command: string
  /** `2026-11-21`. */
  readonly date: string
  readonly machine: string
  /** Its file as it is, on this site. */
  readonly json: string
  /** Only for what the site claims. */
  readonly claim:
    | {
        readonly kind: ReceiptKind
        readonly saysNot: string
        readonly input: string
        readonly sources: readonly string[]
      }
    | undefined
}

const FILES = import.meta.glob<string>('../../../../../docs/receipts/*.json', {
  eager: true,
  query: '?raw',
  import: 'default',
})

/** What measurements are called that the site makes no claim of. Others go by their name. */
const TITLES: Readonly<Record<string, string>> = {
  'online-placement': 'Placement on a public trace: share of the fleet allocated',
  'mig-packing': 'Packing MIG instances: GPUs needed',
  'fleet-reconfiguration': 'Fleet reconfiguration: pods displaced',
  'right-sizing': 'Right-sizing inference pods from a recorded day',
  'overrun-calibration': 'Forecast overruns: predicted vs. actual',
  'job-completion': 'Sharing GPUs among jobs: completion time',
  'job-completion-dra': 'Job completion with DRA and single instances',
  'fleet-layout': 'Laying out 10,000 GPUs: time and distance to the bound',
  'place-one-pod': 'Placing one pod: time by fleet size',
  storage: 'Usage rows in PostgreSQL: writes and reads',
  start: 'From npm start to the first page',
  'large-fleet': 'Septet on 10,000 GPUs',
  'site-speed': 'Landing and sign-in pages on a phone',
  'dashboard-speed': 'Dashboard speed on 10,000 GPUs',
  'will-it-start': 'Will it start: predicted and actual waits',
  house: 'The size and shape of the code',
  'mcp-conformance': 'What the referee of MCP finds',
}

/** The order of claims is that of the first page; measurements follow, the numbered ones first. */
const CLAIM_ORDER = [
  'cost-savings',
  'utilization',
  'seven-workloads',
  'faster-inference',
  'reconfiguration',
  'gpu-types',
]

/** Every receipt in docs/receipts. One of another shape stops the build with its name. */
export const RECEIPTS: readonly Receipt[] = Object.entries(FILES)
  .map(([path, text]) => receiptOf(path, text))
  .toSorted((a, b) => rank(a) - rank(b) || a.id.localeCompare(b.id, 'en', { numeric: true }))

/** The files themselves, by their path on the site. */
export const RECEIPT_FILES: ReadonlyMap<string, string> = new Map(
  Object.entries(FILES).map(([path, text]) => [jsonPath(path), text]),
)

/** Reads one receipt. Throws with its path when something that every receipt has is missing. */
export function receiptOf(path: string, text: string): Receipt {
  const file = new ReceiptFields(path, JSON.parse(text))
  const json = jsonPath(path)
  const id = json.replace(/^\/receipts\/|\.json$/gu, '')
  const isClaim = file.has('kind')
  return {
    id,
    json,
    title: isClaim ? file.text('words') : (TITLES[id] ?? id),
    says: file.text(isClaim ? 'says' : 'description'),
    figures: file.list('figures').map((figure) => figureOf(new ReceiptFields(path, figure))),
    command: file.text('command'),
    date: file.text('date'),
    machine: machineWords(file.child('machine')),
    claim: isClaim
      ? {
          kind: kindOf(path, file.text('kind')),
          saysNot: file.text('saysNot'),
          input: file.text('input'),
          sources: file.list('sources').map(String),
        }
      : undefined,
  }
}

function figureOf(fields: ReceiptFields): ReceiptFigure {
  const baseline = fields.has('baseline') ? fields.child('baseline') : undefined
  return {
    name: fields.text('name'),
    figure: fields.number('figure'),
    unit: fields.text('unit'),
    baseline: baseline === undefined ? undefined : { name: baseline.text('name'), figure: baseline.number('figure') },
    aim: fields.has('aim') ? fields.text('aim') : '',
    note: fields.has('note') ? fields.text('note') : '',
  }
}

function kindOf(path: string, word: string): ReceiptKind {
  const known = (['measured', 'published', 'not-reached', 'target'] as const).find((kind) => kind === word)
  if (known === undefined) throw new Error(`${path} does not say how it stands with the claim`)
  return known
}

function machineWords(machine: ReceiptFields): string {
  return `${machine.show('cores')} cores, ${machine.show('memoryGib')} GiB, ${machine.show('platform')}, Node ${machine.show('node')}`
}

function jsonPath(path: string): string {
  const route = routeOf(path.replace(/^(?:\.\.\/)+/u, ''))
  if (route === undefined) throw new Error(`${path} has no place on the site`)
  return route
}

function rank({ id, claim }: Receipt): number {
  if (claim !== undefined) return CLAIM_ORDER.includes(id) ? CLAIM_ORDER.indexOf(id) : CLAIM_ORDER.length
  return /^e\d/u.test(id) ? 100 : 200
}
