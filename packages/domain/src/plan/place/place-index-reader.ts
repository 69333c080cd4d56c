import { WHOLE_GPU } from '../../gpu/whole-gpu.ts'
import { profilesFor, type PlaceAsk } from './place-index-ask.ts'
import { fitsIn, keysOf, nodeRefusal } from '../../cluster/node-rules.ts'
import type { PlaceFleet } from './place-index-fleet.ts'
import type { Signature } from './place-index-signatures.ts'
import type { Market } from './place-index-market.ts'

/** An ask, looked up once in a fleet: pods of one kind come again and again. */
export type ReadAsk = {
  readonly ask: PlaceAsk
  /** The number of its tenant. */
  readonly tenant: number
  /** Thousandths of a GPU where it wants a share, else 0. */
  readonly milli: number
  readonly targets: readonly PlaceTarget[]
  readonly demand: readonly DemandPart[]
  /** Whether a node has the CPU and memory, and what labels of its own it asks for. */
  readonly fits: (node: number) => boolean
  readonly fitsGpu: (gpu: number) => boolean
}

/** GPUs that the filters allow, and the rows of their menu that would do. */
export type PlaceTarget = { readonly signature: Signature; readonly rows: readonly number[] }
type DemandPart = { readonly market: Market; readonly row: number; readonly part: number }

export class AskReader {
  private readonly fleet: PlaceFleet
  private readonly byAsk = new WeakMap<PlaceAsk, ReadAsk>()
  private readonly byText = new Map<string, ReadAsk>()

  constructor(fleet: PlaceFleet) {
    this.fleet = fleet
  }

  read(ask: PlaceAsk): ReadAsk {
    const met = this.byAsk.get(ask)
    if (met !== undefined) return met
    const text = JSON.stringify([ask.wants, ask.models, ask.tenant, ask.scheduling])
    const read = this.byText.get(text) ?? this.make(ask)
    if (this.byText.size >= REMEMBERED) this.byText.clear()
    this.byText.set(text, read)
    this.byAsk.set(ask, read)
    return read
  }

  private make(ask: PlaceAsk): ReadAsk {
    const { fleet } = this
    const { scheduling, wants } = ask
    const own = keysOf(scheduling).some((key) => fleet.ungrouped.has(key))
    const grouped = own ? { ...scheduling, nodeSelector: {}, nodeTerms: [] } : scheduling
    const targets = fleet.signatures.flatMap((signature) => {
      if (ask.models.length > 0 && !ask.models.includes(signature.model)) return []
      if (nodeRefusal(grouped, signature.rules) !== undefined) return []
      const rows = rowsFor(signature, ask)
      return rows.length > 0 ? [{ signature, rows }] : []
    })
    const allowed = own ? this.nodesAllowed(ask) : undefined
    const fits = (node: number): boolean =>
      fitsIn(scheduling.cpuMilli, fleet.cpuFree[node] ?? 0) &&
      fitsIn(scheduling.memory, fleet.memoryFree[node] ?? 0) &&
      (allowed === undefined || allowed[node] === 1)
    return {
      ask,
      tenant: fleet.tenant(ask.tenant),
      milli: wants.kind === 'share' ? wants.milli : 0,
      targets,
      demand: wants.kind === 'whole' && wants.count > fleet.mostGpus ? [] : demandOf(ask, targets),
      fits,
      fitsGpu: (gpu) => fits(fleet.nodeOf(gpu)),
    }
  }

  private nodesAllowed({ scheduling }: PlaceAsk): Uint8Array {
    return Uint8Array.from(this.fleet.nodes, ({ room }) => (nodeRefusal(scheduling, room) === undefined ? 1 : 0))
  }
}

const REMEMBERED = 10_000

function rowsFor({ market, model }: Signature, { wants }: PlaceAsk): readonly number[] {
  const { board, rowOf, whole } = market
  if (wants.kind === 'whole' || wants.kind === 'share') return [whole]
  const rows = board === undefined ? [] : profilesFor(board, wants, model).map(rowOf)
  const orWhole = wants.kind === 'any' && wants.of.some((fit) => fit.model === model && fit.profile === WHOLE_GPU)
  return orWhole ? [...rows, whole] : rows
}

/** One arrival, spread evenly over the rows that could serve it; a share counts as its part of a whole GPU. */
function demandOf({ wants }: PlaceAsk, targets: readonly PlaceTarget[]): readonly DemandPart[] {
  const rows = targets.flatMap(({ signature, rows: found }) => found.map((row) => ({ market: signature.market, row })))
  const once = rows.filter(
    (one, index) => rows.findIndex(({ market, row }) => market === one.market && row === one.row) === index,
  )
  const weight = wants.kind === 'share' ? wants.milli / 1000 : wants.kind === 'whole' ? wants.count : 1
  return once.map((one) => ({ ...one, part: weight / once.length }))
}
