import type { Gpu } from '../../cluster/node.ts'
import { boardOf } from '../../fleet/gpu-state.ts'
import type { Board } from '../../gpu/board.ts'
import { arrange } from '../../gpu/infer-placements.ts'
import { MENU_ONLY_BOARDS } from '../../gpu/boards/menu-only.ts'
import { BOARDS } from '../../gpu/known-boards.ts'
import type { Geometry } from '../../gpu/layout.ts'
import { parseProfileName } from '../../gpu/profile-name.ts'

/** One entry of a mig-parted configuration. */
export type MigEntry = {
  readonly devices: readonly number[] | 'all'
  /** PCI ids as the file spells them, `0x233010DE`; undefined: any GPU. */
  readonly filter: readonly string[] | undefined
  readonly migEnabled: boolean
  readonly geometry: Geometry
}

/** The entry of a configuration that speaks of a GPU: the last one that names it, as mig-parted applies them in order. */
export const entryFor = (entries: readonly MigEntry[], gpu: Gpu): MigEntry | undefined =>
  entries.findLast(
    ({ devices, filter }) => (devices === 'all' || devices.includes(gpu.index)) && passes(filter, boardOf(gpu)),
  )

/** A device filter holds PCI ids: `0x233010DE` is device 2330 of vendor 10DE. */
const passes = (filter: readonly string[] | undefined, board: Board | undefined): boolean =>
  filter === undefined || filter.some((id) => board?.pciIds.includes(id.slice(2, 6).toUpperCase()) ?? false)

/** Why no board that is known can hold what the entry asks for; undefined where one can, or that is not known. */
export function impossibleAnywhere(config: string, { migEnabled, geometry, filter }: MigEntry): string | undefined {
  if (!migEnabled || hasComputeInstances(geometry)) return undefined
  const boards = filter === undefined ? BOARDS : BOARDS.filter((board) => passes(filter, board))
  const names = namesOf(geometry)
  if (MENU_ONLY_BOARDS.some(({ profiles }) => names.every((name) => profiles.some((own) => own.name === name))))
    return undefined
  const verdicts = boards.map((board) => arrange(board, names))
  if (verdicts.length === 0 || verdicts.some(({ kind }) => kind === 'feasible')) return undefined
  // The most telling reason is that of a board which knows all these profiles.
  const reasons = verdicts.flatMap((verdict) => (verdict.kind === 'infeasible' ? verdict.because : []))
  const because = reasons.find((reason) => !reason.includes('has no profile')) ?? 'no board has all these profiles'
  const what = Object.entries(geometry).map(([name, count]) => `${count} × ${name}`)
  return `${config}: ${what.join(' + ')} is possible on no board: ${because}.`
}

/** Names of profiles, each as often as it is counted. */
export const namesOf = (geometry: Geometry): readonly string[] =>
  Object.entries(geometry).flatMap(([name, count]) => Array.from({ length: Math.min(count, 100) }, () => name))

/** Whether a GPU instance is divided into compute instances, of which no board's table says what fits. */
export const hasComputeInstances = (geometry: Geometry): boolean =>
  Object.keys(geometry).some((name) => parseProfileName(name)?.computeInstanceSlices !== undefined)

/** The last entry wins, but the tool never finds the node to be as the file says, and cuts it anew each time. */
export function repeatedDevices(name: string, entries: readonly MigEntry[]): readonly string[] {
  const unfiltered = entries.filter(({ filter }) => filter === undefined)
  const named = unfiltered.flatMap(({ devices }) => (devices === 'all' ? ['all'] : devices.map(String)))
  const clash = named.length > 1 && named.includes('all') ? 'all' : named.find((each, at) => named.indexOf(each) < at)
  return clash === undefined ? [] : [`${name} lists ${clash === 'all' ? 'all GPUs' : `GPU ${clash}`} more than once.`]
}
