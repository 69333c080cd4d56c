import type { Gpu } from '../../cluster/node.ts'
import { boardOf } from '../../fleet/gpu-state.ts'
import type { Board } from '../../gpu/board.ts'
import { arrange } from '../../gpu/infer-placements.ts'
import { MENU_ONLY_BOARDS } from '../../gpu/boards/menu-only.ts'
import { BOARDS } from '../../gpu/known-boards.ts'
import type { Geometry } from '../../gpu/layout.ts'
import { parseProfileName } from '../../gpu/profile-name.ts'
import { isLabelValue } from './kubernetes-name.ts'

/** One entry of a mig-parted configuration. */
export type MigEntry = {
  readonly devices: readonly number[] | 'all'
  /** PCI ids as the file spells them, `0x233010DE`; undefined: any GPU. */
  readonly filter: readonly string[] | undefined
  readonly migEnabled: boolean
  readonly geometry: Geometry
}

type MigFile = {
  readonly configs: ReadonlyMap<string, readonly MigEntry[]>
  readonly errors: readonly string[]
  /** What mig-parted takes, but hardly does as it is meant, in sentences. */
  readonly doubts: readonly string[]
}

/** The configurations of a mig-parted document that follow its schema, version v1, and what is wrong with the others. */
export function readMigEntries(document: unknown): MigFile {
  const errors: string[] = []
  const doubts: string[] = []
  const configs = new Map<string, readonly MigEntry[]>()
  if (!isRecord(document))
    return { configs, doubts, errors: ['A mig-parted file is a mapping with version and mig-configs.'] }
  errors.push(...strangeKeys(document, ['version', 'mig-configs'], 'The file'))
  if (document['version'] !== 'v1') errors.push(`The version must be v1, not ${show(document['version'])}.`)
  const named = document['mig-configs']
  if (!isRecord(named) || Object.keys(named).length === 0) {
    errors.push('mig-configs must be a mapping from names to lists of entries, with one name at least.')
    return { configs, errors, doubts }
  }
  for (const [name, entries] of Object.entries(named)) {
    const read = readConfig(name, entries)
    if (read.errors.length === 0) configs.set(name, read.entries)
    errors.push(...read.errors)
    doubts.push(...repeatedDevices(name, read.entries))
  }
  return { configs, errors, doubts }
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

type ReadEntries = { readonly entries: readonly MigEntry[]; readonly errors: readonly string[] }

function readConfig(name: string, entries: unknown): ReadEntries {
  const errors: string[] = []
  if (name === '' || !isLabelValue(name)) {
    const hint = name.includes('+') ? ' NVIDIA writes the + of a profile as a dot here: all-1g.10gb.me.' : ''
    errors.push(`${show(name)} cannot be the value of the label nvidia.com/mig.config.${hint}`)
  }
  if (!Array.isArray(entries) || entries.length === 0) {
    return { entries: [], errors: [...errors, `${name} must be a list of entries, with one at least.`] }
  }
  const read = entries.map((entry: unknown, index) => readEntry(entry, `Entry ${index + 1} of ${name}`))
  return {
    entries: read.flatMap(({ entries: found }) => found),
    errors: [...errors, ...read.flatMap((each) => each.errors)],
  }
}

/** The last entry wins, but the tool never finds the node to be as the file says, and cuts it anew each time. */
function repeatedDevices(name: string, entries: readonly MigEntry[]): readonly string[] {
  const unfiltered = entries.filter(({ filter }) => filter === undefined)
  const all = unfiltered.flatMap(({ devices }) => (devices === 'all' ? ['all'] : devices.map(String)))
  const clash =
    all.find((device, index) => all.indexOf(device) < index) ??
    (all.length > 1 && all.includes('all') ? 'all' : undefined)
  return clash === undefined ? [] : [`${name} lists ${clash === 'all' ? 'all GPUs' : `GPU ${clash}`} more than once.`]
}

function readEntry(entry: unknown, where: string): ReadEntries {
  if (!isRecord(entry)) return { entries: [], errors: [`${where} must be a mapping with devices and mig-enabled.`] }
  const devices = readDevices(entry['devices'])
  const filter = readFilter(entry['device-filter'])
  const migEnabled = entry['mig-enabled']
  const errors = [
    ...strangeKeys(entry, ['devices', 'device-filter', 'mig-enabled', 'mig-devices'], where),
    ...(devices === undefined ? [`${where}: devices must be "all" or a list of different GPU indices from 0.`] : []),
    ...(filter === 'wrong' ? [`${where}: device-filter must be a PCI id such as 0x233010DE, or a list of them.`] : []),
    ...(typeof migEnabled === 'boolean'
      ? modeErrors(entry, migEnabled, where)
      : [`${where}: mig-enabled must be true or false.`]),
  ]
  const { geometry, errors: deviceErrors } = readGeometry(entry['mig-devices'], where)
  const all = [...errors, ...deviceErrors]
  if (all.length > 0 || devices === undefined || filter === 'wrong' || typeof migEnabled !== 'boolean') {
    return { entries: [], errors: all }
  }
  return { entries: [{ devices, filter, migEnabled, geometry }], errors: [] }
}

function modeErrors(entry: Readonly<Record<string, unknown>>, migEnabled: boolean, where: string): readonly string[] {
  if (migEnabled && !('mig-devices' in entry))
    return [`${where}: mig-devices is missing; where mig-enabled is true it must be there, {} for none.`]
  // `nvidia-mig-parted export` writes {} for a GPU that is not in MIG mode.
  const isCut = Object.keys(entry['mig-devices'] ?? {}).length > 0
  return !migEnabled && isCut ? [`${where}: mig-devices must not be there where mig-enabled is false.`] : []
}

function readDevices(devices: unknown): readonly number[] | 'all' | undefined {
  if (devices === 'all') return 'all'
  if (!Array.isArray(devices) || devices.length === 0) return undefined
  const indices = devices.filter((index: unknown): index is number => isCount(index))
  return indices.length === devices.length && new Set(indices).size === indices.length ? indices : undefined
}

function readFilter(filter: unknown): readonly string[] | 'wrong' | undefined {
  if (filter === undefined || filter === '') return undefined
  const list: readonly unknown[] = Array.isArray(filter) ? filter : [filter]
  const ids = list.filter((id): id is string => typeof id === 'string' && /^0x[0-9A-Fa-f]{8}$/u.test(id))
  return ids.length < list.length ? 'wrong' : ids.length > 0 ? ids : undefined
}

function readGeometry(
  devices: unknown,
  where: string,
): { readonly geometry: Geometry; readonly errors: readonly string[] } {
  if (devices === undefined) return { geometry: {}, errors: [] }
  if (!isRecord(devices)) {
    return { geometry: {}, errors: [`${where}: mig-devices must be a mapping from profiles to counts.`] }
  }
  const geometry: Record<string, number> = {}
  const errors: string[] = []
  for (const [profile, count] of Object.entries(devices)) {
    const because =
      profileError(profile) ?? (isCount(count) ? undefined : `the count of ${profile} must be a whole number from 0`)
    if (because !== undefined) errors.push(`${where}: ${because}.`)
    else if (isCount(count) && count > 0) geometry[profile] = count
  }
  return { geometry, errors }
}

function profileError(profile: string): string | undefined {
  if (parseProfileName(profile) !== undefined) return undefined
  const dotted = /gb\.(me|gfx)/u.test(profile)
    ? '; profiles keep their + here, only names of configurations have a dot'
    : ''
  return `${show(profile)} is no MIG profile${dotted}`
}

/** A sentence for each key that is not known. */
export const strangeKeys = (
  record: Readonly<Record<string, unknown>>,
  known: readonly string[],
  where: string,
): readonly string[] =>
  Object.keys(record)
    .filter((key) => !known.includes(key))
    .map((key) => `${where} has the unknown field ${show(key)}.`)

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 1000
export const show = (value: unknown): string => JSON.stringify(value) ?? 'nothing'
