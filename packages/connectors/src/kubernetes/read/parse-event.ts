import type { Instant, KubernetesEvent } from '@septet/domain'
import { z } from 'zod'
import { lenient, Time } from './schemas.ts'

/** What we keep of an event, and the object it is about as `namespace/Kind/name`. */
export type EventFacts = { readonly about: string; readonly event: KubernetesEvent }

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
