import type { FiguresOf, partitionsEfficiency } from '@septet/contract'
import {
  boardFor,
  compareText,
  layoutOf,
  migEfficiency,
  once,
  onceFor,
  strandedShare,
  structuralShare,
  unknown,
  type Board,
  type ClusterAnalysis,
  type Figure,
  type Gpu,
  type Layout,
  type MigEfficiency,
} from '@septet/domain'

import type { ClusterFacts, ClusterPicture } from '../../facts.ts'
import { strandedMemorySlices } from '../fleet/gpu-view.ts'
import { FORMULAS, lastHour } from './partitions.ts'
import { ratioView } from '../answering/view.ts'

type Efficiency = FiguresOf<typeof partitionsEfficiency>
type Four = Pick<Efficiency['fleet'], 'coverage' | 'allocation' | 'busy' | 'fragmentation'>

/** The four numbers of MIG, for the fleet and per GPU model, and the layouts that strand compute slices. */
export async function liveEfficiency(facts: ClusterFacts): Promise<Efficiency> {
  const { analysis, answered } = await lastHour(facts)
  const picture = facts.picture() ?? NOTHING
  const { models, whole, told } = cutOf(picture)
  const gpus = models.reduce((sum, model) => sum + model.gpus.length, 0)
  const isLimited = analysis?.scope === 'namespaces' || picture.heldByOthers !== undefined
  const fleet = isLimited ? analysis?.mig : whole()
  const { stranded, strandedMemory } = isLimited ? { stranded: [], strandedMemory: null } : told()
  return {
    ...answered,
    fleet: {
      ...four(fleet, analysis?.mig.sliceBusy, analysis),
      ...slices(isLimited ? undefined : fleet),
      strandedMemory,
      gpus,
    },
    boards: models.map((model) => boardView(model, analysis, isLimited)),
    stranded,
  }
}

const NOTHING: ClusterPicture = { nodes: [], allocations: [], workloads: [] }

type Cuts = {
  readonly models: readonly MigModel[]
  readonly whole: () => MigEfficiency
  readonly told: () => Pick<Efficiency, 'stranded'> & Pick<Efficiency['fleet'], 'strandedMemory'>
}

/** How a picture's GPUs are cut: only what is asked for is worked out. */
const cutOf = onceFor((picture: ClusterPicture): Cuts => {
  const models = migModels(picture)
  return {
    models,
    whole: once(() => migEfficiency(picture, [])),
    told: once(() => ({ stranded: strandedLayouts(models), strandedMemory: memoryOf(picture) })),
  }
})

type Placed = { readonly gpu: Gpu; readonly node: string }
type MigModel = {
  readonly model: string
  readonly board: Board
  readonly gpus: readonly Placed[]
  readonly efficiency: () => MigEfficiency
}

/** Ready GPUs in MIG mode whose geometry is known, by model. */
function migModels({ nodes, allocations }: ClusterPicture): readonly MigModel[] {
  const gpus = nodes
    .filter(({ ready }) => ready)
    .flatMap((node) => node.gpus.map((gpu) => ({ gpu, node: node.name })))
    .filter(({ gpu }) => gpu.migEnabled)
  return [...Map.groupBy(gpus, ({ gpu }) => gpu.model ?? '')]
    .flatMap(([model, own]): MigModel[] => {
      const board = boardFor(model)
      const efficiency = once(() => migEfficiency({ nodes: onlyGpus(nodes, own), allocations }, []))
      return board === undefined ? [] : [{ model, board, gpus: own, efficiency }]
    })
    .toSorted((a, b) => compareText(a.model, b.model))
}

function onlyGpus(nodes: ClusterPicture['nodes'], gpus: readonly Placed[]): ClusterPicture['nodes'] {
  const ids = new Set(gpus.map(({ gpu }) => gpu.id))
  return nodes.map((node) => ({ ...node, gpus: node.gpus.filter(({ id }) => ids.has(id)) }))
}

function boardView(
  { model, board, gpus, efficiency }: MigModel,
  analysis: ClusterAnalysis | undefined,
  isLimited: boolean,
): Efficiency['boards'][number] {
  const mig = isLimited ? analysis?.mig : efficiency()
  const busy = analysis?.mig.busyByModel.find((one) => one.model === model)?.busy ?? notHeld
  return {
    model,
    gpus: gpus.length,
    computeSlices: gpus.length * board.computeSlices,
    ...four(mig, busy, analysis),
    ...slices(isLimited ? undefined : mig),
    profiles: (mig?.byProfile ?? []).map(({ profile, placeable, fragmentation }) => ({
      profile,
      placeable,
      fragmentation: ratioView(fragmentation, {
        formula: `1 − (instances of ${profile} placeable now × its size) / free memory slices`,
        source: 'cluster snapshot',
        window: undefined,
      }),
    })),
  }
}

const notHeld: Figure = unknown('No pod held a MIG device of this board in this window.')
const notStored: Figure = unknown('The database is not responding.')

function four(mig: MigEfficiency | undefined, busy: Figure | undefined, analysis: ClusterAnalysis | undefined): Four {
  const now = (name: keyof typeof FORMULAS): Four['coverage'] =>
    ratioView(mig?.[name] ?? notStored, {
      formula: FORMULAS[name],
      source: 'cluster snapshot',
      window: undefined,
    })
  return {
    coverage: now('sliceCoverage'),
    allocation: now('sliceAllocation'),
    busy: ratioView(analysis === undefined ? notStored : (busy ?? notHeld), {
      formula: 'Σ share × busy over held instances / Σ share over held, measured instances',
      source: 'usage rows of this cluster',
      window: analysis?.window,
    }),
    fragmentation: now('fragmentation'),
  }
}

/** What is stranded hangs on all that a GPU holds, so whoever sees a part of the holders is told nothing of it. */
const slices = (mig: MigEfficiency | undefined): Pick<Efficiency['fleet'], 'structural' | 'byPlacement'> => ({
  structural: mig?.structurallyStranded ?? null,
  byPlacement: mig?.strandedByPlacement ?? null,
})

/** Memory slices that the slice bars dot, on all nodes, as the fleet map counts their GPUs. */
function memoryOf({ nodes }: ClusterPicture): NonNullable<Efficiency['fleet']['strandedMemory']> {
  const each = nodes.flatMap(({ gpus }) => gpus.map(strandedMemorySlices))
  return { slices: each.reduce((sum, size) => sum + size, 0), gpus: each.filter((size) => size > 0).length }
}

/** GPUs of one layout that are named; the others are counted. */
const NAMED = 12

type Cut = { readonly model: string; readonly board: Board; readonly layout: Layout; readonly on: Placed[] }

function strandedLayouts(models: readonly MigModel[]): Efficiency['stranded'] {
  const cuts = new Map<string, Cut>()
  for (const { model, board, gpus } of models) {
    for (const placed of gpus) {
      const layout = layoutOf(placed.gpu, board)?.toSorted((a, b) => a.placement.start - b.placement.start)
      if (layout === undefined) continue
      const key = JSON.stringify([model, layout])
      const cut = cuts.get(key) ?? { model, board, layout, on: [] }
      cuts.set(key, cut)
      cut.on.push(placed)
    }
  }
  return [...cuts.values()]
    .flatMap((cut) => strandedView(cut) ?? [])
    .toSorted(
      (a, b) =>
        b.gpus * (b.structural + b.byPlacement) - a.gpus * (a.structural + a.byPlacement) ||
        compareText(a.model, b.model),
    )
}

function strandedView({ model, board, layout, on }: Cut): Efficiency['stranded'][number] | undefined {
  const all = Math.round(strandedShare(board, layout) * board.computeSlices)
  if (all === 0) return undefined
  const structural = Math.round(structuralShare(board, layout) * board.computeSlices)
  const names = layout.map(({ profile }) => profile).join(' + ')
  return {
    model,
    slots: board.memorySlices,
    layout: layout.map(({ profile, placement }) => ({ profile, ...placement })),
    gpus: on.length,
    structural: structural * on.length,
    byPlacement: (all - structural) * on.length,
    because: becauseOf({ names, all, structural, board }),
    on: on
      .toSorted((a, b) => compareText(a.node, b.node) || a.gpu.index - b.gpu.index)
      .slice(0, NAMED)
      .map(({ node, gpu }) => ({ node, index: gpu.index })),
  }
}

type Because = { readonly names: string; readonly all: number; readonly structural: number; readonly board: Board }

function becauseOf({ names, all, structural, board }: Because): string {
  const of = `${structural} of ${board.computeSlices} compute slices`
  const byForm = `By construction: ${names} leaves ${of} out of reach wherever the instances sit. Only other profiles win it back.`
  const byPlace = `By placement: ${all - structural} of ${board.computeSlices} compute slices would be in reach if the same instances sat elsewhere.`
  if (structural === 0) return byPlace
  return structural === all ? byForm : `${byForm} ${byPlace}`
}
