import type { FiguresOf, statusGet } from '@septet/contract'
import { instant, type Instant } from '@septet/domain'
import { duration } from '@septet/domain/words'

import type { ClusterFacts, SourceState } from '../../facts.ts'
import type { LoopName, LoopState, RunState, ServerLoop } from '../../repeat.ts'
import type { Interruption } from '../actions/admission-answers.ts'
import { isoOf, isoOrNull } from '../answering/view.ts'

type Status = FiguresOf<typeof statusGet>
type Line = Status['lines'][number]

/** How this server itself does. */
export type ThisServer = {
  readonly version: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Which of several servers it is. */
  readonly server: { readonly name: string; readonly role: 'all' | 'answer' }
  /** How its loops beside the pipelines go. */
  loops(): readonly ServerLoop[]
  /** How its questions to the database go. */
  databaseRuns(): RunState
  /** When the thread that answers about new pods was away last; undefined where it never was, or none runs. */
  admission(): Interruption | undefined
}

/** Every loop and source of this server and of each cluster, judged now. */
export function statusNow(clusters: readonly ClusterFacts[], installation: ThisServer, now: Instant): Status {
  const { version, server, startedAt } = installation
  const own = installation.loops()
  const loopsOf = (cluster: string | undefined): readonly LoopState[] =>
    own.filter((loop) => loop.cluster === cluster && loop.name !== 'database')
  return {
    server: { ...server, version, startedAt: isoOf(instant(startedAt)) },
    clusters: clusters.map(({ record: { id, name } }) => ({ id, name })),
    lines: [
      databaseLine(installation.databaseRuns()),
      ...admissionLines(installation),
      ...loopsOf(undefined).map((loop) => loopLine(loop, { cluster: null, now })),
      ...clusters.flatMap((facts) => {
        const cluster = facts.record.id
        const { sources = [], loops = [] } = facts.health() ?? {}
        return [
          ...(facts.health() === undefined ? [unheardLine(facts, now)] : []),
          ...sources.map((source) => sourceLine(source, cluster)),
          ...[...loops, ...loopsOf(cluster)].map((loop) => loopLine(loop, { cluster, now })),
        ]
      }),
    ],
  }
}

const NOT_RUN = { every: null, took: null, failures: 0, because: null, todo: null } as const

/** However short its turns, a loop is not late before this, milliseconds. */
const LEAST_LATE_MS = 60_000

/** Whether a loop should have finished a turn by now. */
export function isLate({ everyMs, okAt, since, tookMs, failures }: LoopState, now: Instant): boolean {
  if (everyMs === undefined || failures > 0) return false
  return now - (okAt ?? since) > Math.max(3 * everyMs, LEAST_LATE_MS) + 2 * (tookMs ?? 0)
}

function loopLine(loop: LoopState, { cluster, now }: { readonly cluster: string | null; readonly now: Instant }): Line {
  const { name, everyMs, okAt, since, tookMs, failures, turnedAt, because, runningSince } = loop
  const { title, means } = LOOPS[name]
  const line: Omit<Line, 'state' | 'since'> = {
    ...NOT_RUN,
    cluster,
    of: 'loop',
    name,
    title,
    failures,
    every: everyMs === undefined ? null : everyMs / 1000,
    lastOk: isoOrNull(okAt),
    took: tookMs === undefined ? null : tookMs / 1000,
  }
  if (failures > 0) return { ...line, state: 'failing', since: isoOf(turnedAt), because: because ?? null, todo: means }
  if (isLate(loop, now)) {
    const last = okAt ?? since
    const words = `No run has finished for ${duration((now - last) / 1000)}; one should every ${duration((everyMs ?? 0) / 1000)}.`
    return { ...line, state: 'late', since: isoOf(last), because: words, todo: `${means} ${RESTART}` }
  }
  const isIdle = okAt === undefined && runningSince === undefined
  return { ...line, state: isIdle ? 'waiting' : 'ok', since: isoOf(turnedAt) }
}

const RESTART = 'If this lasts, restart Septet and keep its log.'

function sourceLine({ name, state, since, heardAt, because }: SourceState, cluster: string): Line {
  const { title, means } = SOURCES[name]
  return {
    ...NOT_RUN,
    cluster,
    of: 'source',
    name,
    title,
    since: isoOf(since),
    lastOk: isoOrNull(heardAt),
    state: state === 'unknown' ? 'waiting' : state,
    because: because ?? null,
    todo: state === 'failing' ? means : null,
  }
}

/** A pipeline that has said nothing of itself: it is beginning, or it cannot. */
function unheardLine(facts: ClusterFacts, now: Instant): Line {
  const { kind, problems } = facts.connection()
  const isBeginning = kind === 'connecting' || problems.some(({ code }) => code === 'reconnecting')
  return {
    ...NOT_RUN,
    cluster: facts.record.id,
    of: 'source',
    name: 'pipeline',
    title: 'Pipeline',
    since: isoOf(now),
    lastOk: null,
    state: isBeginning ? 'waiting' : 'failing',
    because: problems[0]?.message ?? null,
    todo: isBeginning ? null : 'Nothing is read of this cluster. Correct its connection in Settings → Clusters.',
  }
}

function databaseLine({ okAt, failures, turnedAt, because, tookMs }: RunState): Line {
  const { title, means } = SOURCES.database
  return {
    ...NOT_RUN,
    cluster: null,
    of: 'source',
    name: 'database',
    title,
    failures,
    state: failures > 0 ? 'failing' : okAt === undefined ? 'waiting' : 'ok',
    since: isoOf(turnedAt),
    lastOk: isoOrNull(okAt),
    took: tookMs === undefined ? null : tookMs / 1000,
    because: failures > 0 ? (because ?? null) : null,
    todo: failures > 0 ? means : null,
  }
}

/** Only while the thread is away: before it is asked, nothing is known of it but that it runs. */
function admissionLines(installation: ThisServer): Line[] {
  const interruption = installation.admission()
  if (interruption === undefined || interruption.until !== undefined) return []
  const { title, means } = SOURCES.admission
  const { at, because } = interruption
  return [
    {
      ...NOT_RUN,
      cluster: null,
      of: 'source',
      name: 'admission',
      title,
      lastOk: null,
      state: 'failing',
      since: isoOf(at),
      because,
      todo: means,
    },
  ]
}

type Words = {
  readonly title: string
  /** What is missing while it does not work, what still works, and what to do. */
  readonly means: string
}

const LOOPS = {
  collect: {
    title: 'Readings',
    means:
      'No new readings are taken; screens keep the last one and say how old it is. Check the sources of this cluster.',
  },
  store: {
    title: 'Writing usage',
    means: 'Usage waits in memory and is written later; a restart would lose it. Check the database.',
  },
  upkeep: {
    title: 'Roll-up',
    means: 'Hours and days are rolled up later; long ranges lag behind. Check the database.',
  },
  settle: {
    title: 'Closing hours',
    means: 'Hours that were missed stay not observed until this works. Check the database and the metrics engine.',
  },
  months: { title: 'Monthly totals', means: 'Months keep their last figures. Check the database.' },
  retention: {
    title: 'Retention',
    means: 'Old rows are not deleted, so the database grows; all figures are right. Check the database.',
  },
  recommend: {
    title: 'Recommendations',
    means: 'Recommendations stay as they were; figures are not affected. Check the log of this server.',
  },
  backfill: {
    title: 'Past usage',
    means: 'Part of the past is missing; live readings continue, and Septet retries. Check the metrics engine.',
  },
  'read-model': {
    title: 'Sharing figures',
    means: 'Other servers on this database show older figures; this one is up to date. Check the database.',
  },
  savings: { title: 'Savings', means: 'Realized savings are measured later, from stored usage. Check the database.' },
  actor: {
    title: 'Applying actions',
    means:
      'Approved actions wait, and running ones are not checked. Check the database and the credentials of the actor.',
  },
  follow: {
    title: 'Following the watching server',
    means: 'This server shows older figures of the cluster. Check the database.',
  },
  alerts: {
    title: 'Alert rules',
    means: 'No alert of this cluster begins or ends until this works. Check the database.',
  },
  'alert-retention': { title: 'Old alerts', means: 'Alerts that are over are deleted later. Check the database.' },
  notifications: {
    title: 'Notifications',
    means: 'Messages wait in the database and are sent once it answers. Check the database.',
  },
  'action-notices': { title: 'Messages about actions', means: 'They are sent later. Check the database.' },
  reports: {
    title: 'Scheduled reports',
    means: 'Reports are emailed later. Check the database and the log of this server.',
  },
  'admission-records': {
    title: 'Admission records',
    means: 'API servers get their answers; what was answered is recorded later. Check the database.',
  },
  clusters: {
    title: 'List of clusters',
    means: 'Clusters that were added or removed elsewhere show up late. Check the database.',
  },
  leads: {
    title: 'Sharing clusters',
    means: 'Another server may watch the clusters of this one meanwhile. Check the database.',
  },
  database: { title: 'Database', means: 'Check the database.' },
} as const satisfies Record<LoopName, Words>

const SOURCES = {
  kubernetes: {
    title: 'Kubernetes API',
    means:
      'The last inventory is shown with its time; telemetry continues. Check the API server, the network and the credentials in Settings → Clusters.',
  },
  telemetry: {
    title: 'GPU telemetry',
    means:
      'Use of these GPUs is unknown, not 0; allocation and cost work. Check that the exporters run and can be reached.',
  },
  'metrics-engine': {
    title: 'Metrics engine',
    means:
      'Past usage that is not read yet stays missing; Septet retries. Check its address and credentials in Settings → Clusters.',
  },
  agent: {
    title: 'Agent',
    means: 'It keeps what it reads and sends it later. Check that it runs and reaches this server.',
  },
  database: {
    title: 'Database',
    means:
      'Live figures work for those who signed in lately; no one can sign in, and usage waits in memory. Check PostgreSQL and DATABASE_URL; Septet reconnects by itself.',
  },
  admission: {
    title: 'Admission',
    means:
      'New pods are created as requested. Septet starts the thread again by itself; if it keeps failing, see the log.',
  },
} as const satisfies Record<SourceState['name'] | 'database' | 'admission', Words>
