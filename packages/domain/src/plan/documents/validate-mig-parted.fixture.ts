import type { Gpu, GpuNode } from '../../cluster/node.ts'
import type { Board } from '../../gpu/board.ts'
import { arrange } from '../../gpu/infer-placements.ts'
import { BOARDS } from '../../gpu/known-boards.ts'
import type { Geometry } from '../../gpu/layout.ts'
import { geometryMisfit } from '../guardrail/fits-board.ts'
import { boardOf } from '../../fleet/gpu-state.ts'
import { readMigEntries, type MigEntry } from './read-mig-entries.fixture.ts'

/** A node that is to wear a configuration. */
export type ConfigWearer = { readonly config: string; readonly node: GpuNode }

/**
 * What is wrong with a mig-parted file, each in one sentence; nothing when it is right. The rules of the schema, then the
 * boards: of the nodes that are to wear a configuration where they are given, else some board must hold each geometry.
 */
export function validateMigParted(document: unknown, wearers: readonly ConfigWearer[] = []): readonly string[] {
  const { configs, errors } = readMigEntries(document)
  const impossible = [...configs].flatMap(([name, entries]) =>
    entries.flatMap((entry) => impossibleAnywhere(name, entry) ?? []),
  )
  const misfits = wearers.flatMap(({ config, node }) => {
    const entries = configs.get(config)
    if (entries === undefined)
      return errors.length > 0 ? [] : [`${node.name} should get ${config}, which is missing from the file.`]
    return wearerErrors(config, entries, node)
  })
  return [...errors, ...(misfits.length > 0 ? misfits : impossible)]
}

/** The entry of a configuration that speaks of a GPU: the last one that names it, as mig-parted applies them in order. */
export const entryFor = (entries: readonly MigEntry[], gpu: Gpu): MigEntry | undefined =>
  entries.findLast(
    ({ devices, filter }) => (devices === 'all' || devices.includes(gpu.index)) && passes(filter, boardOf(gpu)),
  )

/** A device filter holds PCI ids: `0x233010DE` is device 2330 of vendor 10DE. */
const passes = (filter: readonly string[] | undefined, board: Board | undefined): boolean =>
  filter === undefined || filter.some((id) => board?.pciIds.includes(id.slice(2, 6).toUpperCase()) ?? false)

function wearerErrors(config: string, entries: readonly MigEntry[], node: GpuNode): readonly string[] {
  const known = new Set(node.gpus.map(({ index }) => index))
  const strangers = entries.flatMap(({ devices }) =>
    devices === 'all' ? [] : devices.filter((index) => !known.has(index)),
  )
  return [
    ...strangers.map((index) => `${config} names GPU ${index}, but ${node.name} has no GPU of that index.`),
    ...node.gpus.flatMap((gpu) => {
      const entry = entryFor(entries, gpu)
      if (entry === undefined) return `${config} does not say what becomes of GPU ${gpu.index} of ${node.name}.`
      if (!entry.migEnabled) return []
      const because = boardOf(gpu) === undefined ? noBoard(gpu) : geometryMisfit(gpu, entry.geometry)
      return because === undefined ? [] : `${config} on ${node.name}: ${because}.`
    }),
  ]
}

const noBoard = (gpu: Gpu): string =>
  `GPU ${gpu.id} (${gpu.model ?? 'of an unknown board'}) is not known to support MIG`

function impossibleAnywhere(config: string, { migEnabled, geometry, filter }: MigEntry): string | undefined {
  if (!migEnabled) return undefined
  const boards = filter === undefined ? BOARDS : BOARDS.filter((board) => passes(filter, board))
  const names = namesOf(geometry)
  const verdicts = boards.map((board) => arrange(board, names))
  if (verdicts.length === 0 || verdicts.some(({ kind }) => kind === 'feasible')) return undefined
  // The most telling reason is that of a board which knows all these profiles.
  const reasons = verdicts.flatMap((verdict) => (verdict.kind === 'infeasible' ? verdict.because : []))
  const because = reasons.find((reason) => !reason.includes('has no profile')) ?? 'no board has all these profiles'
  const what = Object.entries(geometry).map(([name, count]) => `${count} × ${name}`)
  return `${config}: ${what.join(' + ')} is possible on no board: ${because}.`
}

const namesOf = (geometry: Geometry): readonly string[] =>
  Object.entries(geometry).flatMap(([name, count]) => Array.from({ length: Math.min(count, 100) }, () => name))
