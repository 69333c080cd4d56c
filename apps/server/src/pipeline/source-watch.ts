import type { ClusterReader, Instant, TelemetryReader } from '@septet/domain'
import { agree, plural } from '@septet/domain/words'

import type { SourceState } from '../facts.ts'
import type { RunRecord } from '../repeat.ts'
import type { ReadingFeed } from './agent-feed.ts'
import type { Collector } from './collect.ts'

type SourceParts = {
  readonly reader: Pick<ClusterReader, 'state'>
  readonly telemetry: TelemetryReader | undefined
  readonly feed: ReadingFeed | undefined
  readonly engine: RunRecord | undefined
  readonly collector: Pick<Collector, 'targets' | 'problems' | 'asOf'>
}

type Seen = Omit<SourceState, 'since'>

/** What a cluster is read from: the state of each, and since when it is in it. */
export class SourceWatch {
  readonly #parts: SourceParts
  readonly #since = new Map<string, { readonly state: Seen['state']; readonly since: Instant }>()

  constructor(parts: SourceParts) {
    this.#parts = parts
  }

  look(now: Instant): readonly SourceState[] {
    const { telemetry, feed, engine } = this.#parts
    const seen = [
      ...(feed === undefined ? [] : [agentOf(feed)]),
      kubernetesOf(this.#parts.reader),
      ...(telemetry === undefined ? [] : [telemetryOf(this.#parts.collector)]),
      ...(engine === undefined ? [] : [engineOf(engine)]),
    ]
    return seen.map((source) => ({ ...source, since: this.#sinceOf(source, now) }))
  }

  #sinceOf({ name, state }: Seen, now: Instant): Instant {
    const before = this.#since.get(name)
    if (before?.state === state) return before.since
    this.#since.set(name, { state, since: now })
    return now
  }
}

const KINDS = { connected: 'ok', connecting: 'unknown', disconnected: 'failing' } as const

function kubernetesOf(reader: SourceParts['reader']): Seen {
  const { kind, lastContact, problems } = reader.state()
  const state = kind === 'connected' && problems.length > 0 ? 'degraded' : KINDS[kind]
  return { name: 'kubernetes', state, heardAt: lastContact, because: problems[0]?.message }
}

function agentOf(feed: ReadingFeed): Seen {
  const [silence, at] = [feed.silence(), feed.at()]
  const heard = at > 0 ? at : undefined
  if (silence !== undefined) return { name: 'agent', state: 'failing', heardAt: heard, because: silence }
  return { name: 'agent', state: heard === undefined ? 'unknown' : 'ok', heardAt: heard, because: undefined }
}

/** Exporters, asked directly or through the metrics engine. */
function telemetryOf(collector: SourceParts['collector']): Seen {
  const targets = collector.targets()
  const gone = collector
    .problems()
    .find(({ code }) => code === 'telemetry-unavailable' || code === 'target-discovery-failed')
  const newest = Math.max(...targets.map(({ lastSeen }) => lastSeen ?? 0), 0)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of the instants above
  const heardAt = newest > 0 ? (newest as Instant) : undefined
  const away = targets.filter(({ kind }) => kind !== 'up')
  const [first] = away
  if (gone !== undefined) return { name: 'telemetry', state: 'failing', heardAt, because: gone.message }
  if (targets.length === 0) return { name: 'telemetry', state: 'unknown', heardAt, because: undefined }
  if (first === undefined) return { name: 'telemetry', state: 'ok', heardAt, because: undefined }
  const count = `${away.length} of ${plural(targets.length, 'target')} ${agree(away.length, 'does', 'do')} not respond`
  const because = `${count}, among them: ${first.detail === '' ? first.target : first.detail}`
  return { name: 'telemetry', state: away.length === targets.length ? 'failing' : 'degraded', heardAt, because }
}

function engineOf(engine: RunRecord): Seen {
  const { okAt, failures, because } = engine.state()
  if (failures > 0) return { name: 'metrics-engine', state: 'failing', heardAt: okAt, because }
  return { name: 'metrics-engine', state: okAt === undefined ? 'unknown' : 'ok', heardAt: okAt, because: undefined }
}
