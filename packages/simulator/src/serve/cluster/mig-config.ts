import { boardFor, type Board } from '@septet/domain'
import type { NodeSpec } from '../../model/fleet.ts'
import {
  isList,
  isObject,
  listIn,
  numberIn,
  objectAt,
  parseYaml,
  valueIn,
  type Json,
  type JsonObject,
} from '../kube/json.ts'

/** What a configuration wants of one GPU: profiles, or undefined for MIG off. */
export type Wanted = readonly string[] | undefined

/** The file that mig-manager makes from what the driver reports, as text; undefined on boards without MIG. */
export function generatedConfig(node: NodeSpec): string | undefined {
  const board = boardFor(node.hardware.modelName)
  if (board === undefined) return undefined
  const configs = [
    ...entry('all-disabled', [{ devices: 'all', profiles: undefined }]),
    ...entry('all-enabled', [{ devices: 'all', profiles: {} }]),
    ...board.profiles.flatMap(({ name, max }) =>
      entry(`all-${name.replaceAll('+', '.')}`, [{ devices: 'all', profiles: { [name]: max } }]),
    ),
    ...entry('all-balanced', [{ devices: 'all', profiles: balanced(board) }]),
    ...(node.offer.kind === 'mixed' ? entry(layoutName(node), ownLayout(node)) : []),
  ]
  return ['version: v1', 'mig-configs:', ...configs, ''].join('\n')
}

/** Name of the configuration that a node was cut by. */
export const layoutName = (node: NodeSpec): string => `layout-${(node.seed % 0xffff).toString(16).padStart(4, '0')}`

/** Reads one configuration for a node's GPUs. Undefined when the file has none of that name. */
export function wantedLayouts(text: string, name: string, node: NodeSpec): ReadonlyMap<number, Wanted> | undefined {
  const groups = valueIn(parseYaml(text), 'mig-configs', name)
  if (!isList(groups)) return undefined
  const wanted = new Map<number, Wanted>()
  const device = `0x${boardFor(node.hardware.modelName)?.pciIds[0] ?? ''}10DE`
  for (const group of groups) {
    if (!isObject(group) || !filterAccepts(group, device)) continue
    const enabled = valueIn(group, 'mig-enabled') === true
    const profiles = Object.keys(objectAt(group, 'mig-devices')).flatMap((profile) =>
      Array.from({ length: numberIn(group, 'mig-devices', profile) ?? 0 }, () => profile),
    )
    for (const index of devicesOf(group['devices'], node)) wanted.set(index, enabled ? profiles : undefined)
  }
  return wanted
}

function filterAccepts(group: JsonObject, device: string): boolean {
  const filter = group['device-filter']
  const list = isList(filter) ? filter : filter === undefined || filter === '' ? [] : [filter]
  return list.length === 0 || list.some((id) => typeof id === 'string' && id.toUpperCase() === device.toUpperCase())
}

const devicesOf = (devices: Json | undefined, node: NodeSpec): readonly number[] =>
  devices === 'all'
    ? node.gpus.map(({ index }) => index)
    : listIn({ devices }, 'devices').filter((index) => typeof index === 'number')

type Group = {
  readonly devices: 'all' | readonly number[]
  readonly profiles: Readonly<Record<string, number>> | undefined
}

const entry = (name: string, groups: readonly Group[]): readonly string[] => [
  `  ${name}:`,
  ...groups.flatMap(({ devices, profiles }) => [
    `    - devices: ${devices === 'all' ? 'all' : `[${devices.join(', ')}]`}`,
    `      mig-enabled: ${profiles !== undefined}`,
    ...(profiles === undefined ? [] : [`      mig-devices: ${JSON.stringify(profiles)}`]),
  ]),
]

// 2 × 1g, 1 × 2g, 1 × 3g where there are seven compute slices; 2 × 1g, 1 × 2g where there are four.
function balanced(board: Board): Readonly<Record<string, number>> {
  const named = (slices: number): string =>
    board.profiles.find(({ computeSlices, name }) => computeSlices === slices && !/[+-]/.test(name))?.name ?? ''
  const small = { [named(1)]: 2, [named(2)]: 1 }
  return board.computeSlices === 7 ? { ...small, [named(3)]: 1 } : small
}

const ownLayout = (node: NodeSpec): readonly Group[] =>
  node.gpus.map(({ index, layout }) => {
    const counts: Record<string, number> = {}
    for (const { profile } of layout ?? []) counts[profile] = (counts[profile] ?? 0) + 1
    return { devices: [index], profiles: layout === undefined ? undefined : counts }
  })
