import type { Instant } from '@septet/domain'
import type { ApiClient } from '../connect/api-client.ts'
import type { KnownApis } from '../connect/discovery.ts'
import { openMirror, type Mirror } from './mirror.ts'
import { openObjectStore, type ObjectStore } from './object-store.ts'
import { parseBudget } from '../read/parse-budget.ts'
import { parseClaim } from '../read/parse-claim.ts'
import { parseResourceSlice } from '../read/parse-device.ts'
import {
  parseClusterQueue,
  parseKueueWorkload,
  parseFlavor,
  parseLocalQueue,
  parseCohort,
} from '../read/parse-kueue.ts'
import { parseKaiQueue } from '../read/parse-kai-queue.ts'
import { parseMigConfig } from '../read/parse-mig-config.ts'
import { parseNode, type NodeFacts } from '../read/parse-node.ts'
import type { Bystanders, HostUse } from '../assemble/host-use.ts'
import { openPodStore, type PodStore } from './pod-store.ts'
import { parseNamespace, parsePriorityClass } from '../read/parse-scheduling.ts'
import { parseQuota } from '../read/queue-limits.ts'
import { parseVolcanoGroup, parseVolcanoQueue } from '../read/parse-volcano.ts'
import { pluralOf, RESOURCE_NAMES, ruleOf } from '../connect/resources.ts'
import type { ReaderTiming } from '../connect/timing.ts'

/** The mirrors of one cluster, one for each resource that its API server has. */
export type MirrorSet = {
  values<K extends MirroredName>(name: K): Iterable<MirroredFacts[K]>
  /** What pods without GPUs take of each node that has some. */
  hostUse(): ReadonlyMap<string, HostUse>
  /** What pods have to do with where others may go. */
  bystanders(): Bystanders
  /** Starts mirrors of what is new, stops those of what is gone or moved to another version. */
  arrange(apis: KnownApis): Promise<void>
  /** Resolves when every mirror has been filled once, or cannot be for now. */
  settled(): Promise<void>
  /** The running mirrors, and why each cannot be read now, if so. */
  troubles(): ReadonlyMap<MirroredName, Error | undefined>
  unreadable(name: MirroredName): ReadonlyMap<string, string>
  cut(): void
  stop(): Promise<void>
}

export type MirrorSetOptions = {
  readonly client: ApiClient
  readonly operatorNamespace: string
  readonly timing: ReaderTiming
  readonly clock: () => Instant
  readonly random: () => number
  readonly onChange: () => void
  readonly onError: (name: MirroredName, error: unknown) => void
}

export function openMirrorSet(options: MirrorSetOptions): MirrorSet {
  const nodes = openObjectStore(parseNode)
  const pods = openPodStore((name) => nodes.get({ metadata: { name } })?.isGpuNode === true)
  const stores: Stores = openStores(nodes, pods)
  const mirrored = RESOURCE_NAMES.filter((name): name is MirroredName => Object.hasOwn(stores, name))
  const mirrors = new Map<MirroredName, { readonly path: string; readonly mirror: Mirror }>()
  const open = (name: MirroredName, path: string): void => {
    const { query } = ruleOf(name)
    // Without nodes and pods there is nothing to show; everything else may fail for now.
    const optional = name !== 'nodes' && name !== 'pods'
    const onError = (error: unknown): void => options.onError(name, error)
    mirrors.set(name, { path, mirror: openMirror({ ...options, path, query, optional, onError, store: stores[name] }) })
  }
  const close = async (name: MirroredName): Promise<void> => {
    const running = mirrors.get(name)
    mirrors.delete(name)
    await running?.mirror.stop()
  }
  return {
    values: (name) => stores[name].values(),
    async arrange(apis) {
      for (const name of mirrored) {
        const path = pathOf(name, apis, options.operatorNamespace)
        if (path === mirrors.get(name)?.path) continue
        await close(name)
        stores[name].clear()
        if (path !== undefined) open(name, path)
        options.onChange()
      }
    },
    async settled() {
      await Promise.all([...mirrors.values()].map(({ mirror }) => mirror.settled))
    },
    troubles: () => new Map([...mirrors].map(([name, { mirror }]) => [name, mirror.trouble()])),
    hostUse: () => pods.hostUse(),
    bystanders: () => pods.bystanders(),
    unreadable: (name) => stores[name].unreadable(),
    cut: () => mirrors.forEach(({ mirror }) => mirror.cut()),
    async stop() {
      await Promise.all([...mirrors.keys()].map(close))
    },
  }
}

const openStores = (nodes: ObjectStore<NodeFacts>, pods: PodStore) => ({
  nodes,
  pods,
  configmaps: openObjectStore(parseMigConfig),
  resourceslices: openObjectStore(parseResourceSlice),
  resourceclaims: openObjectStore(parseClaim),
  workloads: openObjectStore(parseKueueWorkload),
  clusterqueues: openObjectStore(parseClusterQueue),
  localqueues: openObjectStore(parseLocalQueue),
  resourceflavors: openObjectStore(parseFlavor),
  cohorts: openObjectStore(parseCohort),
  'queues.scheduling.volcano.sh': openObjectStore(parseVolcanoQueue),
  'podgroups.scheduling.volcano.sh': openObjectStore(parseVolcanoGroup),
  'queues.scheduling.run.ai': openObjectStore(parseKaiQueue),
  poddisruptionbudgets: openObjectStore(parseBudget),
  resourcequotas: openObjectStore(parseQuota),
  namespaces: openObjectStore(parseNamespace),
  priorityclasses: openObjectStore(parsePriorityClass),
})

/** What is kept of each mirrored resource. */
type MirroredFacts = {
  [K in MirroredName]: ReturnType<typeof openStores>[K] extends ObjectStore<infer Facts> ? Facts : never
}
export type MirroredName = keyof ReturnType<typeof openStores>
type Stores = { readonly [K in MirroredName]: ObjectStore<MirroredFacts[K]> }

function pathOf(name: MirroredName, apis: KnownApis, operatorNamespace: string): string | undefined {
  const base = apis.get(name)
  if (base === undefined) return undefined
  const plural = pluralOf(name)
  return ruleOf(name).scope === 'operator' ? `${base}/namespaces/${operatorNamespace}/${plural}` : `${base}/${plural}`
}
