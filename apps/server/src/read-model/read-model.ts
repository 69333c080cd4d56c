import { setImmediate as turn } from 'node:timers/promises'
import {
  once,
  type ModelSection,
  type Allocation,
  type GpuNode,
  type JudgedSample,
  type TargetState,
  type Workload,
} from '@septet/domain'
import type { ClusterPicture, PackedAdmission, PipelineHealth, RangeAnalysis } from '../facts.ts'
import type { LoopState } from '../repeat.ts'
import { rowsIn, type Columns, rowAt } from './columns.ts'
import { unpack, type Packed } from './pack.ts'
import { unpackAnalysis, type PackedAnalysis } from './packed-analysis.ts'
import { KeptAnalyses } from './kept-analyses.ts'
import type { AnalysisOf } from './questions.ts'
import { samplePartition } from './sample-partition.ts'
import { analysisOfSection, FOLLOWING, HEALTH, LISTS, type ModelState } from './section.ts'

/** The newest read model of one cluster, read in place: a section is unpacked when somebody looks at it. */
export class ReadModel {
  #version = 0
  #state: ModelState = {
    connection: { kind: 'connecting', lastContact: undefined, problems: [] },
    problems: [],
    asOf: undefined,
    history: undefined,
    size: undefined,
  }
  readonly #lists = {
    nodes: new ListReader<GpuNode>((bytes) => unpack({ bytes })),
    allocations: new ListReader<Allocation>((bytes) => rowsIn(unpack<Columns<Allocation>>({ bytes }))),
    workloads: new ListReader<Workload>((bytes) => unpack({ bytes })),
  }
  #hasPicture = false
  #picture: ClusterPicture | undefined
  #settled: Promise<void> = Promise.resolve()
  #samples: () => ReadonlyMap<string, JudgedSample> = () => new Map()
  #targets: () => readonly TargetState[] = () => []
  #idle: ReadonlySet<string> = new Set()
  #health: PipelineHealth | undefined
  #following: readonly LoopState[] = []
  #admission: PackedAdmission | undefined
  readonly #analyses = new KeptAnalyses<RangeAnalysis>()

  /** Of the newest section that was taken. */
  version = (): number => this.#version
  state = (): ModelState => this.#state
  samples = (): ReadonlyMap<string, JudgedSample> => this.#samples()
  targets = (): readonly TargetState[] => this.#targets()
  idle = (): ReadonlySet<string> => this.#idle
  health = (): PipelineHealth | undefined =>
    this.#health && { ...this.#health, loops: [...this.#health.loops, ...this.#following] }
  admission = (): PackedAdmission | undefined => this.#admission
  analysis = (of: AnalysisOf): RangeAnalysis | undefined => this.#analyses.get(of)
  /** Resolves when all that was taken so far can be looked at without a delay. */
  settled = (): Promise<void> => this.#settled

  /** The same object until nodes, holders or work have changed; undefined before there are any. */
  picture(): ClusterPicture | undefined {
    if (!this.#hasPicture) return undefined
    const { nodes, allocations, workloads } = this.#lists
    return (this.#picture ??= { nodes: nodes.items(), allocations: allocations.items(), workloads: workloads.items() })
  }

  take(sections: readonly ModelSection[]): void {
    let isPicture = false
    for (const section of sections) {
      this.#version = Math.max(this.#version, section.version)
      if (!this.#takeListed(section)) this.#takeOther(section)
      else isPicture = true
    }
    if (!isPicture) return
    this.#hasPicture = true
    this.#picture = undefined
    this.#settled = this.#settled.then(() => this.#settle())
  }

  async #settle(): Promise<void> {
    const { nodes, allocations, workloads } = this.#lists
    for (const list of [nodes, allocations, workloads]) await list.settle()
  }

  /** False where the section is not a part of a long list. */
  #takeListed({ key, bytes }: ModelSection): boolean {
    const [name, piece] = key.split('/')
    const list = LISTS.find((one) => one === name)
    if (list === undefined) return false
    if (piece !== undefined) this.#lists[list].put(Number(piece), bytes)
    else if (bytes !== undefined) this.#lists[list].arrange(unpack({ bytes }))
    return true
  }

  #takeOther({ key, bytes }: ModelSection): void {
    if (bytes === undefined) return
    switch (key) {
      case 'state':
        this.#state = unpack({ bytes })
        break
      case 'samples':
        this.#samples = once(() => new ColumnMap(unpack<Columns<JudgedSample>>({ bytes }), samplePartition))
        break
      case 'targets':
        this.#targets = once(() => rowsIn(unpack<Columns<TargetState>>({ bytes })))
        break
      case 'admission':
        this.#admission = { bytes }
        break
      case HEALTH:
        this.#health = unpack({ bytes })
        break
      case FOLLOWING:
        this.#following = unpack({ bytes })
        break
      case 'idle':
        this.#idle = unpack({ bytes })
        break
      default:
        this.#takeAnalysis(key, { bytes })
    }
  }

  #takeAnalysis(key: string, packed: Packed<PackedAnalysis>): void {
    const of = analysisOfSection(key)
    if (of !== undefined) this.#analyses.set(of, unpackAnalysis(unpack(packed)))
  }
}

/** A long list in pieces, each unpacked once, when somebody looks or a moment is free. */
class ListReader<Item> {
  readonly #unpack: (bytes: Uint8Array) => readonly Item[]
  #order: readonly number[] = []
  #items: readonly Item[] | undefined
  readonly #packed = new Map<number, Uint8Array>()
  readonly #unpacked = new Map<number, readonly Item[]>()

  constructor(read: (bytes: Uint8Array) => readonly Item[]) {
    this.#unpack = read
  }

  arrange(order: readonly number[]): void {
    this.#order = order
    this.#items = undefined
  }

  put(piece: number, bytes: Uint8Array | undefined): void {
    this.#items = undefined
    this.#unpacked.delete(piece)
    if (bytes === undefined) this.#packed.delete(piece)
    else this.#packed.set(piece, bytes)
  }

  /** The whole list, in its order; the same object until something of it has changed. */
  items(): readonly Item[] {
    return (this.#items ??= this.#order.flatMap((piece) => this.#piece(piece)))
  }

  /** Unpacks what nobody has looked at yet, with a turn for others between two pieces. */
  async settle(): Promise<void> {
    for (const piece of this.#order) {
      if (this.#unpacked.has(piece)) continue
      await turn()
      this.#piece(piece)
    }
  }

  #piece(piece: number): readonly Item[] {
    const known = this.#unpacked.get(piece)
    if (known !== undefined) return known
    const bytes = this.#packed.get(piece)
    const items = bytes === undefined ? [] : this.#unpack(bytes)
    this.#unpacked.set(piece, items)
    // What was unpacked is what is read from now on; its bytes would be there twice.
    this.#packed.delete(piece)
    return items
  }
}

/** Records by key, read out of their columns one by one: what nobody looks at takes no memory. */
export class ColumnMap<Row> implements ReadonlyMap<string, Row> {
  readonly #columns: Columns<Row>
  readonly #keyOf: (row: Row) => string
  #places: ReadonlyMap<string, number> | undefined

  constructor(columns: Columns<Row>, keyOf: (row: Row) => string) {
    this.#columns = columns
    this.#keyOf = keyOf
  }

  get size(): number {
    return this.#index().size
  }

  get(key: string): Row | undefined {
    const place = this.#index().get(key)
    return place === undefined ? undefined : rowAt(this.#columns, place)
  }

  has(key: string): boolean {
    return this.#index().has(key)
  }

  forEach(look: (row: Row, key: string, map: ReadonlyMap<string, Row>) => void): void {
    for (const [key, row] of this) look(row, key, this)
  }

  keys(): MapIterator<string> {
    return this.#index().keys()
  }

  *values(): MapIterator<Row> {
    for (const place of this.#index().values()) yield rowAt(this.#columns, place)
  }

  *entries(): MapIterator<[string, Row]> {
    for (const [key, place] of this.#index()) yield [key, rowAt(this.#columns, place)]
  }

  [Symbol.iterator](): MapIterator<[string, Row]> {
    return this.entries()
  }

  /** Of several rows of one key the last counts, as in any map. */
  #index(): ReadonlyMap<string, number> {
    if (this.#places !== undefined) return this.#places
    const places = new Map<string, number>()
    for (let at = 0; at < this.#columns.length; at += 1) places.set(this.#keyOf(rowAt(this.#columns, at)), at)
    this.#places = places
    return places
  }
}
