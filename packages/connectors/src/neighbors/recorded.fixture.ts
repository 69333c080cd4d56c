import { readFileSync } from 'node:fs'
import { assembleSnapshot, instant, type ClusterSnapshot, type Inventory } from '@septet/domain'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { recordedNeighbors } from '../../../../test/system-tools.ts'
import { assembleInventory } from '../kubernetes/assemble/assemble-inventory.ts'
import type { InventoryParts } from '../kubernetes/assemble/inventory-parts.ts'
import { followOwners } from '../kubernetes/read/owner-chain.ts'

/** What neighboring projects publish; undefined where it does not stand beside the repository. */
export const recordings = recordedNeighbors()

/** A recorded file as it is; nothing where it is not there, as tests that are skipped are listed too. */
export const recorded = (file: string): string =>
  recordings === undefined ? '' : readFileSync(new URL(file, recordings), 'utf8')

const Recorded = z.looseObject({
  kind: z.string().default(''),
  metadata: z.looseObject({ name: z.string().optional(), generateName: z.string().optional() }).default({}),
  spec: z.looseObject({}).default({}),
})
export type Recorded = z.infer<typeof Recorded>
export const NOTHING: Recorded = { kind: '', metadata: {}, spec: {} }

/** The objects of a YAML file, or of the YAML blocks of a page, with what the API server would have filled in. */
export function recordedObjects(file: string): readonly Recorded[] {
  const text = recorded(file)
  const blocks = file.endsWith('.md') || file.endsWith('.md.txt') ? yamlBlocks(text) : [text]
  return blocks.flatMap(objectsIn).flatMap(itemsOf).map(asServed)
}

export const ofKind = (objects: readonly Recorded[], kind: string): readonly Recorded[] =>
  objects.filter((object) => object.kind === kind)

/** The documents of a YAML text that are whole: those with ellipses are not. */
export function objectsIn(text: string): readonly Recorded[] {
  const documents = parseAllDocuments(text)
  return Array.isArray(documents)
    ? documents.filter(({ errors }) => errors.length === 0).flatMap((each) => recordOf(each.toJS()))
    : []
}

/** The YAML that a page shows. */
export const yamlBlocks = (text: string): readonly string[] =>
  [...text.matchAll(/^```ya?ml\n(?<block>[\s\S]*?)^```/gmu)].map(({ groups }) => groups?.['block'] ?? '')

const recordOf = (value: unknown): readonly Recorded[] => {
  const read = Recorded.safeParse(value)
  return read.success ? [read.data] : []
}

const itemsOf = (object: Recorded): readonly Recorded[] =>
  object.kind === 'List' && Array.isArray(object['items']) ? object['items'].flatMap(recordOf) : [object]

/** Examples leave out what the API server writes: the instant, a UID and a generated name. */
export function asServed(object: Recorded): Recorded {
  const { generateName = object.kind, name = `${generateName}x`, ...metadata } = object.metadata
  return {
    ...object,
    metadata: { uid: `uid-${name}`, creationTimestamp: '2026-11-01T08:00:00Z', ...metadata, name },
  }
}

const NOW = instant(Date.parse('2026-11-21T12:00:00Z'))

/** What is assembled of read facts, where everything else is empty. */
export function inventoryOf(parts: Partial<InventoryParts>): Inventory {
  return assembleInventory({
    nodes: [],
    pods: [],
    menus: [],
    slices: [],
    claims: [],
    queuedWork: [],
    clusterQueues: [],
    localQueues: [],
    flavors: [],
    budgets: [],
    quotas: [],
    chainOf: (facts) => followOwners(facts, { owner: () => undefined, podByUid: () => undefined }).chain,
    pendingSince: () => undefined,
    now: NOW,
    takenAt: NOW,
    serverVersion: 'v1.36.0',
    problems: [],
    ...parts,
  })
}

export const snapshotOf = (parts: Partial<InventoryParts>): ClusterSnapshot =>
  assembleSnapshot({ cluster: 'c', inventory: inventoryOf(parts), samples: [], now: NOW })

/** A node as its kubelet tells it. */
export const nodeObject = (
  name: string,
  {
    labels = {},
    annotations = {},
    resources = {},
  }: {
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly resources?: Readonly<Record<string, string>>
  },
): Recorded => ({
  kind: 'Node',
  metadata: { name, uid: name, creationTimestamp: '2026-11-01T08:00:00Z', labels, annotations },
  spec: {},
  status: { capacity: resources, allocatable: resources, conditions: [{ type: 'Ready', status: 'True' }] },
})

/** A pod of an example as it is once a kubelet runs it. */
export const boundTo = (pod: Recorded, node: string): Recorded => ({
  ...pod,
  spec: { ...pod.spec, nodeName: node },
  status: { phase: 'Running', startTime: '2026-11-20T08:00:00Z' },
})

/** Each GPU with what it is divided into and who holds that: `GPU-1 [1/4 team/a] [1/4 -]`. */
export function drawn({ nodes, allocations }: ClusterSnapshot): readonly string[] {
  const holders = Map.groupBy(allocations, ({ partition }) => partition)
  return nodes.flatMap(({ name, gpus }) =>
    gpus.map(({ id, model, partitions }) => {
      const parts = partitions.map((part) => {
        const size = part.kind === 'shared' ? `1/${part.replicas}` : part.kind === 'mig' ? part.profile : 'whole'
        const held = (holders.get(part.id) ?? []).map(({ pod }) => pod).join('+')
        return `[${size} ${held === '' ? '-' : held}]`
      })
      return `${name} ${id} ${model ?? 'unknown'} ${parts.join(' ')}`
    }),
  )
}
