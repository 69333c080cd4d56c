import { plural } from '../words.ts'
import type { ClusterEvent, ClusterEventKind } from '../cluster/cluster-event.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import type { GpuNode, MigState } from '../cluster/node.ts'
import type { Instant } from '../units.ts'
import type { JudgedSample } from './sample.ts'

/** What must be remembered of a cluster to see what changed. */
export type ChangeMemory = {
  /** Last XID code by GPU; 0 where there is none. */
  readonly xids: ReadonlyMap<string, number>
  /** MIG state by node, of every node; undefined before the first snapshot. */
  readonly nodes: ReadonlyMap<string, MigState> | undefined
  /** When each node last gave a measurement; `silent` once its silence was told. */
  readonly heard: ReadonlyMap<string, { readonly at: Instant; readonly silent: boolean }>
}

export type ChangeSources = {
  readonly snapshot: ClusterSnapshot
  /** The newest reading; empty where nothing could be read. */
  readonly samples: readonly JudgedSample[]
  readonly now: Instant
}

/** A node is silent when it has given nothing for so long, milliseconds. */
const SILENT_MS = 5 * 60_000

/**
 * What happened between two looks at a cluster: XIDs that are new (the exporter keeps showing the last code, so the same
 * code again is nothing new), MIG changes, nodes that came and went, nodes that fell silent or are heard again.
 */
export function clusterChanges(
  memory: ChangeMemory,
  sources: ChangeSources,
): { readonly events: readonly ClusterEvent[]; readonly memory: ChangeMemory } {
  const xids = xidChanges(memory, sources)
  const heard = heardChanges(memory, sources)
  return {
    events: [...xids.events, ...nodeChanges(memory, sources), ...heard.events],
    memory: {
      xids: xids.xids,
      nodes: new Map(sources.snapshot.nodes.map(({ name, mig }) => [name, mig])),
      heard: heard.heard,
    },
  }
}

/** What is remembered of events that are stored and of the last snapshot of an earlier process. */
export function rememberChanges(
  snapshot: ClusterSnapshot | undefined,
  xidEvents: readonly Pick<ClusterEvent, 'kind' | 'object' | 'figures'>[],
): ChangeMemory {
  const xids = new Map<string, number>()
  // Newest first: the first of each GPU counts.
  for (const { kind, object, figures } of xidEvents) {
    const gpu = object.slice('gpu/'.length)
    if (!xids.has(gpu)) xids.set(gpu, kind === 'xid' ? Number(figures['code'] ?? 0) : 0)
  }
  const nodes = snapshot === undefined ? undefined : new Map(snapshot.nodes.map(({ name, mig }) => [name, mig]))
  return { xids, nodes, heard: new Map() }
}

function xidChanges({ xids: before, nodes }: ChangeMemory, { snapshot, samples, now }: ChangeSources) {
  const xids = new Map(before)
  const events: ClusterEvent[] = []
  const codes = new Map(
    samples.flatMap((each) => (each.xid === undefined ? [] : [[each.gpu, { ...each, xid: each.xid }]])),
  )
  for (const [gpu, { xid, node }] of codes) {
    const last = before.get(gpu)
    if (xid === (last ?? 0)) continue
    xids.set(gpu, xid)
    const isFirstLook = last === undefined && nodes === undefined
    const holder = holderOf(snapshot, gpu)
    events.push({
      ...eventOf(snapshot, now, { kind: xid === 0 ? 'xid-cleared' : 'xid', object: `gpu/${gpu}`, mark: String(xid) }),
      namespace: holder,
      message:
        xid === 0
          ? `GPU ${gpu} on ${node} no longer reports an XID: its driver was restarted.`
          : `GPU ${gpu} on ${node} reported XID ${xid}.${isFirstLook ? ' It was there when Septet first looked, so it may be older.' : ''}`,
      figures: { code: xid, node },
    })
  }
  return { xids, events }
}

/** The one namespace that holds a GPU; undefined where it is none, or several. */
function holderOf({ allocations }: ClusterSnapshot, gpu: string): string | undefined {
  const held = allocations.filter(({ partition }) => partition === gpu || partition.startsWith(`${gpu}/`))
  const namespaces = new Set(held.map(({ workload }) => workload.split('/')[0]))
  return namespaces.size === 1 ? [...namespaces][0] : undefined
}

function nodeChanges({ nodes: before }: ChangeMemory, { snapshot, now }: ChangeSources): ClusterEvent[] {
  if (before === undefined) return []
  const there = new Set(snapshot.nodes.map(({ name }) => name))
  const gone = [...before.keys()].filter((name) => !there.has(name))
  return [
    ...gone.map((name) => ({
      ...eventOf(snapshot, now, { kind: 'node-gone', object: `node/${name}` }),
      message: `Node ${name} is no longer in the cluster.`,
    })),
    ...snapshot.nodes.flatMap((node) => {
      const last = before.get(node.name)
      return last === undefined ? [joined(snapshot, now, node)] : migChange(snapshot, now, { node, last })
    }),
  ]
}

const joined = (snapshot: ClusterSnapshot, now: Instant, { name, gpus }: GpuNode): ClusterEvent => ({
  ...eventOf(snapshot, now, { kind: 'node-joined', object: `node/${name}` }),
  message: `Node ${name} joined the cluster with ${plural(gpus.length, 'GPU')}.`,
  figures: { gpus: gpus.length },
})

function migChange(
  snapshot: ClusterSnapshot,
  now: Instant,
  { node, last }: { readonly node: GpuNode; readonly last: MigState },
): ClusterEvent[] {
  const { config = '', state } = node.mig
  const isSame = state === last.state && config === (last.config ?? '')
  if (isSame || (state !== 'failed' && state !== 'success')) return []
  const hasFailed = state === 'failed'
  const kind = hasFailed ? 'mig-change-failed' : 'mig-change'
  return [
    {
      ...eventOf(snapshot, now, { kind, object: `node/${node.name}`, mark: config }),
      message: hasFailed
        ? `The MIG change of ${node.name} to ${config} failed.`
        : `Node ${node.name} has the MIG configuration ${config}.`,
      figures: { config, before: last.config ?? '' },
    },
  ]
}

type Heard = { readonly at: Instant; readonly silent: boolean }

function heardChanges({ heard: before }: ChangeMemory, { snapshot, samples, now }: ChangeSources) {
  const speaking = new Set(samples.map(({ node }) => node))
  const heard = new Map<string, Heard>()
  const events: ClusterEvent[] = []
  for (const { name } of snapshot.nodes) {
    const last = before.get(name)
    const next = speaking.has(name) ? { at: now, silent: false } : stillUnheard(last, now)
    if (next === undefined) continue
    heard.set(name, next)
    if (last === undefined || next.silent === last.silent) continue
    const kind = next.silent ? 'telemetry-missing' : 'telemetry-back'
    const message = next.silent ? `has reported no metrics for 5 min.` : 'reports metrics again.'
    events.push({ ...eventOf(snapshot, now, { kind, object: `node/${name}` }), message: `Node ${name} ${message}` })
  }
  return { heard, events }
}

/** A node that never spoke has nothing to fall silent from. */
const stillUnheard = (last: Heard | undefined, now: Instant): Heard | undefined =>
  last === undefined ? undefined : { at: last.at, silent: last.silent || now - last.at >= SILENT_MS }

type Happened = { readonly kind: ClusterEventKind; readonly object: string; readonly mark?: string }

const eventOf = (
  { cluster }: ClusterSnapshot,
  at: Instant,
  { kind, object, mark = '' }: Happened,
): Omit<ClusterEvent, 'message'> => ({
  id: [kind, object, mark, at].join(' '),
  cluster,
  at,
  kind,
  object,
  namespace: undefined,
  figures: {},
})
