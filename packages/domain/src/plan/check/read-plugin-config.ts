import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import { MIG_STRATEGIES } from '../documents/gpu-documents.ts'
import { isRecord, show, strangeKeys } from '../documents/read-mig-entries.ts'

/** Which resources are shared; of none where `kind` is. */
export type SharedResources = {
  readonly kind: 'none' | 'time-slicing' | 'mps'
  readonly rename: boolean
  /** Whether a pod that asks for more than one is refused. */
  readonly oneOnly: boolean
  readonly resources: readonly { readonly name: string; readonly replicas: number }[]
}

/** What a configuration says to the device plugin; absent is what stays as the node has it. */
export type PluginConfig = {
  readonly strategy?: (typeof MIG_STRATEGIES)[number] | undefined
  readonly shared?: SharedResources
}

type Reading<Value> = {
  readonly value: Value
  readonly errors: readonly string[]
  /** What the plugin ignores without a word, in sentences. */
  readonly ignores: readonly string[]
}

/** A configuration of NVIDIA's device plugin, version v1, and what the plugin refuses or ignores in it. */
export function readPluginConfig(document: unknown): Reading<PluginConfig> {
  if (!isRecord(document))
    return { value: {}, errors: ['It must be a mapping with version and, to share GPUs, sharing.'], ignores: [] }
  const flags = document['flags'] ?? {}
  const strategy = readStrategy(isRecord(flags) ? flags['migStrategy'] : undefined, 'flags.migStrategy')
  const shared = readSharing(document['sharing'] ?? {})
  const errors = [
    ...(['v1', undefined].includes(textOf(document['version']))
      ? []
      : [`The version must be v1, not ${show(document['version'])}.`]),
    ...(isRecord(flags) ? [] : ['flags must be a mapping.']),
    ...strategy.errors,
    ...shared.errors,
    ...(shared.value.kind === 'mps' && strategy.value.strategy === 'mixed'
      ? ['The plugin refuses MPS together with the MIG strategy mixed.']
      : []),
  ]
  const ignores = ignored(document, ['version', 'flags', 'resources', 'sharing', 'imex', 'health'], 'It')
  return { value: { ...strategy.value, shared: shared.value }, errors, ignores: [...ignores, ...shared.ignores] }
}

const textOf = (value: unknown): string | undefined =>
  value === undefined || value === '' ? undefined : typeof value === 'string' ? value : show(value)

/** Of a file or a ClusterPolicy. */
export function readStrategy(given: unknown, where: string): Omit<Reading<Pick<PluginConfig, 'strategy'>>, 'ignores'> {
  if (given === undefined || given === null) return { value: {}, errors: [] }
  const strategy = MIG_STRATEGIES.find((name) => name === given)
  return strategy === undefined
    ? { value: {}, errors: [`${where} must be none, single or mixed, not ${show(given)}.`] }
    : { value: { strategy }, errors: [] }
}

const ignored = (record: Readonly<Record<string, unknown>>, known: readonly string[], where: string) =>
  strangeKeys(record, known, where).map((words) => words.replace(/\.$/u, ', which the plugin ignores.'))

const NONE: SharedResources = { kind: 'none', rename: false, oneOnly: false, resources: [] }

function readSharing(sharing: unknown): Reading<SharedResources> {
  if (!isRecord(sharing))
    return { value: NONE, errors: ['sharing must be a mapping with timeSlicing or mps.'], ignores: [] }
  const ignores = ignored(sharing, ['timeSlicing', 'mps'], 'sharing')
  const given = (['mps', 'timeSlicing'] as const).filter((kind) => (sharing[kind] ?? undefined) !== undefined)
  const [first] = given
  if (first === undefined) return { value: NONE, errors: [], ignores }
  const read = readShared(sharing[first], first)
  const both = given.length > 1 ? ['sharing holds both timeSlicing and mps, which exclude each other: leave one.'] : []
  return { value: read.value, errors: [...both, ...read.errors], ignores: [...ignores, ...read.ignores] }
}

function readShared(given: unknown, field: 'mps' | 'timeSlicing'): Reading<SharedResources> {
  const where = `sharing.${field}`
  if (!isRecord(given)) return { value: NONE, errors: [`${where} must be a mapping with resources.`], ignores: [] }
  const list = given['resources']
  const rows = Array.isArray(list)
    ? list.map((row: unknown, at) => readRow(row, field, `${where}.resources[${at}]`))
    : []
  const named = rows.map(({ value: { name } }) => name)
  const twice = named.find((name, at) => name !== '' && named.indexOf(name) < at)
  const rename = given['renameByDefault'] ?? false
  const oneOnly = given['failRequestsGreaterThanOne'] ?? field === 'mps'
  return {
    value: {
      kind: field === 'mps' ? 'mps' : 'time-slicing',
      rename: rename === true,
      oneOnly: oneOnly === true,
      resources: rows.flatMap(({ value, errors }) => (errors.length === 0 ? value : [])),
    },
    ignores: [
      ...ignored(given, ['strategy', 'renameByDefault', 'failRequestsGreaterThanOne', 'resources'], where),
      ...rows.flatMap(({ ignores }) => ignores),
    ],
    errors: [
      ...(rows.length === 0 ? [`${where}.resources must be a list with one resource at least.`] : []),
      ...(typeof rename === 'boolean' ? [] : [`${where}.renameByDefault must be true or false.`]),
      ...(typeof oneOnly === 'boolean' ? [] : [`${where}.failRequestsGreaterThanOne must be true or false.`]),
      ...(twice === undefined ? [] : [`${where}.resources names ${twice} more than once.`]),
      ...rows.flatMap(({ errors }) => errors),
    ],
  }
}

type Row = Reading<SharedResources['resources'][number]>

function readRow(row: unknown, field: 'mps' | 'timeSlicing', where: string): Row {
  if (!isRecord(row))
    return {
      value: { name: '', replicas: 0 },
      errors: [`${where} must be a mapping with name and replicas.`],
      ignores: [],
    }
  const { name, replicas, devices } = row
  const full = typeof name === 'string' ? name.replace(/^(?=[^/]+$)/u, 'nvidia.com/') : ''
  const isCount = typeof replicas === 'number' && Number.isInteger(replicas) && replicas >= 2
  return {
    value: { name: full, replicas: isCount ? replicas : 0 },
    errors: [
      ...nameErrors(full, field, where),
      ...(isCount ? [] : [`${where}.replicas must be a whole number from 2, not ${show(replicas)}.`]),
    ],
    // `all` is what it means anyway.
    ignores: ignored(row, ['name', 'replicas', ...(devices === 'all' ? ['devices'] : [])], where),
  }
}

function nameErrors(name: string, field: 'mps' | 'timeSlicing', where: string): readonly string[] {
  if (name === '') return [`${where} has no name: write ${WHOLE_GPU_RESOURCE}.`]
  return field === 'mps' && name !== WHOLE_GPU_RESOURCE
    ? [`${where}: MPS shares ${WHOLE_GPU_RESOURCE} alone, and no MIG devices.`]
    : []
}
