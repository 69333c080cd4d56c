import { parseProfileName } from '@septet/domain'
import { z } from 'zod'
import { readYaml } from '../read-yaml.ts'
import { LabelsSchema, lenient } from './schemas.ts'

/** What the GPU Operator (26.3 and newer) learnt from a node's driver: which MIG profiles each GPU can hold. */
export type MigMenu = {
  readonly node: string
  /** For every GPU alike: profile → how many fit. */
  readonly all: Readonly<Record<string, number>>
  /** For single GPUs, where they differ, by index. */
  readonly byIndex: ReadonlyMap<number, Readonly<Record<string, number>>>
}

/** Reads the ConfigMap `<node>-mig-config`; undefined for other ConfigMaps. Throws when its YAML cannot be read. */
export function parseMigConfig(raw: unknown): MigMenu | undefined {
  const { metadata, data } = ConfigMapSchema.parse(raw)
  const node = metadata.labels['nvidia.com/node-name']
  const text = data?.['config.yaml']
  if (node === undefined || text === undefined) return undefined
  const entries = Object.values(FileSchema.parse(readYaml(text))['mig-configs']).flat()
  const all: Record<string, number> = {}
  const byIndex = new Map<number, Record<string, number>>()
  // Entries that hold for some boards only cannot be told apart by index: PCI ids are not known here.
  const oneBoard = distinctFilters(entries) <= 1
  for (const entry of entries.filter((each) => oneBoard || each['device-filter'] === undefined)) {
    const single = onlyProfile(entry)
    if (single === undefined) continue
    if (entry.devices === 'all') raise(all, single)
    else for (const index of entry.devices) raise(shelf(byIndex, index), single)
  }
  return { node, all, byIndex }
}

/** One menu for each of the node's GPUs; undefined when the ConfigMap says nothing about them. */
export function menuByGpu(
  menu: MigMenu,
  gpuCount: number,
): ReadonlyArray<Readonly<Record<string, number>>> | undefined {
  const count = Math.max(gpuCount, ...[...menu.byIndex.keys()].map((index) => index + 1))
  const menus = Array.from({ length: count }, (_, index) => ({ ...menu.all, ...menu.byIndex.get(index) }))
  return menus.some((each) => Object.keys(each).length > 0) ? menus : undefined
}

const Entry = z.object({
  devices: z.union([z.literal('all'), z.array(z.number().int().min(0).max(63))]),
  'device-filter': z.unknown().optional(),
  'mig-enabled': z.boolean(),
  'mig-devices': lenient(z.record(z.string(), z.number().int().min(0))),
})
type Entry = z.infer<typeof Entry>

const ConfigMapSchema = z.object({
  metadata: z.object({ labels: LabelsSchema }),
  data: lenient(z.record(z.string(), z.string())),
})
const FileSchema = z.object({ 'mig-configs': z.record(z.string(), z.array(Entry)) })

// A configuration of one profile holds as many as fit; a mixture says nothing about the most.
function onlyProfile(entry: Entry): [string, number] | undefined {
  const [single, ...others] = Object.entries(entry['mig-devices'] ?? {})
  return single === undefined || others.length > 0 || parseProfileName(single[0]) === undefined ? undefined : single
}

const distinctFilters = (entries: readonly Entry[]): number =>
  new Set(entries.map((entry) => JSON.stringify(entry['device-filter'])).filter((text) => text !== undefined)).size

function raise(menu: Record<string, number>, [profile, count]: [string, number]): void {
  menu[profile] = Math.max(count, menu[profile] ?? 0)
}

function shelf(byIndex: Map<number, Record<string, number>>, index: number): Record<string, number> {
  const menu = byIndex.get(index) ?? {}
  byIndex.set(index, menu)
  return menu
}
