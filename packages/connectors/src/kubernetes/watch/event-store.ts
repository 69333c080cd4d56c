import type { KubernetesEvent, Instant, WorkloadId } from '@septet/domain'
import { z } from 'zod'
import type { FilledStore } from './object-store.ts'
import { lenient, Time } from '../read/schemas.ts'

/** Recent events of GPU workloads, and of objects that may turn out to belong to one; never more than `most`. */
export type EventStore = FilledStore & {
  /** Newest first. */
  of(workload: WorkloadId): readonly KubernetesEvent[]
  /** Finds out whose the events are, and lets go of those that are nobody's. */
  sort(): void
  size(): number
}

export type EventStoreOptions = {
  /** The workload of an object `namespace/Kind/name`; undefined: none that asks for GPUs, or not known yet. */
  readonly workloadOf: (about: string) => WorkloadId | undefined
  readonly clock: () => Instant
  readonly most?: number
}

/** A cluster of 10,000 GPUs makes some thousands an hour, and the API keeps them for one. */
const MOST = 20_000
/** Its pod may not have been read yet when an event comes. */
const GRACE_MS = 60_000

/** Keeps events by their own names. What was once found to be a workload's stays its own when the pod goes. */
export function openEventStore({ workloadOf, clock, most = MOST }: EventStoreOptions): EventStore {
  let kept = new Map<string, Kept>()
  const read = (raw: unknown, shelf: Map<string, Kept>): void => {
    const key = keyOf(raw)
    const found = key === undefined ? undefined : readKept(raw, workloadOf)
    if (key === undefined || found === undefined) return
    const workload = found.workload ?? kept.get(key)?.workload
    if (workload === undefined && clock() - found.event.at > GRACE_MS) return
    // The newest are at the end, so that what is dropped first is what was longest unheard of.
    shelf.delete(key)
    shelf.set(key, { ...found, workload })
    if (shelf.size > most) dropOldest(shelf)
  }
  return {
    put(raw) {
      read(raw, kept)
      return false
    },
    remove(raw) {
      kept.delete(keyOf(raw) ?? '')
      return false
    },
    clear() {
      kept = new Map()
    },
    refill() {
      const shelf = new Map<string, Kept>()
      return {
        take: (raw) => read(raw, shelf),
        done: () => {
          kept = shelf
        },
      }
    },
    of: (workload) =>
      [...kept.values()]
        .filter((each) => each.workload === workload)
        .map(({ event }) => event)
        .toSorted((a, b) => b.at - a.at || b.firstAt - a.firstAt)
        .slice(0, MOST_OF_ONE),
    sort() {
      for (const [key, each] of kept) {
        const workload = each.workload ?? workloadOf(each.about)
        if (workload !== undefined) each.workload = workload
        else if (clock() - each.event.at > GRACE_MS) kept.delete(key)
      }
    },
    size: () => kept.size,
  }
}

/** Of one workload; the newest say why it is as it is. */
const MOST_OF_ONE = 200

type Kept = { readonly about: string; readonly event: KubernetesEvent; workload: WorkloadId | undefined }

function readKept(raw: unknown, workloadOf: EventStoreOptions['workloadOf']): Kept | undefined {
  try {
    const { about, event } = parseEvent(raw)
    return { about, event, workload: workloadOf(about) }
  } catch {
    // An event that cannot be understood costs nobody the others.
    return undefined
  }
}

function dropOldest(shelf: Map<string, Kept>): void {
  for (const [key, { workload }] of shelf) {
    if (workload === undefined) return void shelf.delete(key)
  }
  const [oldest] = shelf.keys()
  if (oldest !== undefined) shelf.delete(oldest)
}

const KeySchema = z.object({ metadata: z.object({ namespace: z.string(), name: z.string() }) })

function keyOf(raw: unknown): string | undefined {
  const parsed = KeySchema.safeParse(raw)
  return parsed.success ? `${parsed.data.metadata.namespace}/${parsed.data.metadata.name}` : undefined
}

/** What we keep of an event, and the object it is about as `namespace/Kind/name`. */
type EventFacts = { readonly about: string; readonly event: KubernetesEvent }

/** Reads an event of core v1; those that came through events.k8s.io are the same objects. Throws when it cannot. */
export function parseEvent(raw: unknown): EventFacts {
  const { involvedObject: object, metadata, ...said } = EventSchema.parse(raw)
  return {
    about: `${object.namespace ?? metadata.namespace}/${object.kind}/${object.name}`,
    event: {
      ...timesOf(said, said.eventTime ?? metadata.creationTimestamp),
      type: said.type === 'Warning' ? 'Warning' : 'Normal',
      reason: cut(said.reason, LONGEST_REASON),
      message: cut(said.message, LONGEST_MESSAGE),
      count: said.series?.count ?? said.count ?? 1,
      object: { kind: object.kind, name: object.name },
      source: said.reportingComponent || (said.source?.component ?? ''),
    },
  }
}

/** A series counts on in `series`, an older reporter in `lastTimestamp`. */
const timesOf = ({ series, firstTimestamp, lastTimestamp }: Said, created: Instant) => ({
  at: series?.lastObservedTime ?? lastTimestamp ?? created,
  firstAt: firstTimestamp ?? created,
})

/** The API server allows 128 and, for newer clients, 1024; older ones may write as much as an object holds. */
const LONGEST_REASON = 128
const LONGEST_MESSAGE = 4096

const cut = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`

const Text = lenient(z.string()).transform((text) => text ?? '')
const Count = lenient(z.number().int().positive())
const EventSchema = z.object({
  metadata: z.object({ name: z.string(), namespace: z.string(), creationTimestamp: Time }),
  involvedObject: z.object({ kind: z.string(), name: z.string(), namespace: lenient(z.string().min(1)) }),
  reason: Text,
  message: Text,
  type: Text,
  count: Count,
  firstTimestamp: lenient(Time),
  lastTimestamp: lenient(Time),
  eventTime: lenient(Time),
  series: lenient(z.object({ count: Count, lastObservedTime: lenient(Time) })),
  source: lenient(z.object({ component: Text })),
  reportingComponent: Text,
})
type Said = Pick<z.infer<typeof EventSchema>, 'series' | 'firstTimestamp' | 'lastTimestamp'>
