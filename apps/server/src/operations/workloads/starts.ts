import { type InputOf, type OutputOf, type startsCheck, invalidInput, notReady } from '@septet/contract'
import {
  estimateWait,
  instant,
  seconds,
  type ManifestReading,
  type ReadManifest,
  type StartAnswer,
  type Store,
  DAY_MS,
} from '@septet/domain'

import type { ClusterFacts, Namespaces } from '../../facts.ts'
import { answeredFrom } from '../answering/source.ts'

type Starts = OutputOf<typeof startsCheck>
type Start = Starts['jobs'][number]

/** It may be read in another thread. */
export type ReadsManifest = (...given: Parameters<ReadManifest>) => ManifestReading | Promise<ManifestReading>

export type StartNeeds = {
  readonly store: { readonly waits: Pick<Store['waits'], 'past'> }
  readonly readManifest: ReadsManifest
  readonly now: () => number
  /** What the caller is limited to. */
  readonly namespaces: Namespaces | undefined
  readonly signal?: AbortSignal | undefined
}

/** Whether the jobs of a manifest would start, with the time that work like them waited where they would not. */
export async function liveStarts(
  facts: ClusterFacts,
  { manifest, namespace }: InputOf<typeof startsCheck>,
  needs: StartNeeds,
): Promise<Starts> {
  const read = await needs.readManifest(manifest, namespace)
  if (read.kind === 'refused') throw invalidInput(read.because, read.todo)
  const { namespaces, signal } = needs
  const foreign = read.jobs.find((job) => namespaces?.includes(job.namespace) === false)
  if (foreign !== undefined)
    throw invalidInput(
      `You have no access to the namespace ${foreign.namespace}.`,
      'Use one of your namespaces in the manifest, or set namespace.',
    )
  const answers = await facts.start({ jobs: read.jobs, namespaces }, { signal })
  if (answers === undefined)
    throw notReady(
      `${facts.record.name} has not been read since Septet started, so new work cannot be checked yet.`,
      'Try again in a few seconds.',
    )
  const waitOf = await waitsOf(facts, answers, needs)
  return { ...answeredFrom(facts, undefined), jobs: answers.map((answer) => startView(answer, waitOf)) }
}

type Wait = Pick<Start, 'wait' | 'noWait'>
type WaitOf = (answer: StartAnswer) => Wait

function startView(answer: StartAnswer, waitOf: WaitOf): Start {
  const { gang, asks: _asks, places, ways, changes, because, unknown, ...rest } = answer
  return {
    ...rest,
    together: gang,
    places: places.map(({ devices, ...place }) => ({
      ...place,
      devices: devices.map(({ profile, ...device }) => ({ ...device, profile: profile ?? null })),
    })),
    because: [...because],
    unknown: [...unknown],
    ways: ways.map(({ room, ...way }) => ({ ...way, room: room ?? null })),
    changes: changes.map((change) => ({ ...change, patch: change.patch.map((each) => ({ ...each })) })),
    ...(answer.verdict === 'now' ? NO_WAIT : waitOf(answer)),
  }
}

const NO_WAIT = { wait: null, noWait: null }

/** As far back as waits say something about the queue of today, and as many as are looked at. */
const PAST_MS = 60 * DAY_MS
const MOST_WAITS = 500

/** Different things asked for in one manifest whose past is looked at: a query each, and tens of milliseconds of computing. */
const MOST_ASKS = 5
const TOO_MANY: Wait = {
  wait: null,
  noWait: `Only the waits of the first ${MOST_ASKS} different requests are looked up; check this job by itself.`,
}

/** Once for all that ask the same, and one after the other: others are answered in between. */
async function waitsOf(facts: ClusterFacts, answers: readonly StartAnswer[], needs: StartNeeds): Promise<WaitOf> {
  const known = new Map<string, Wait>()
  for (const answer of answers) {
    if (answer.verdict === 'now' || known.has(keyOf(answer)) || known.size >= MOST_ASKS) continue
    // oxlint-disable-next-line no-await-in-loop -- a connection to the database for each would leave others none
    known.set(keyOf(answer), await waitView(facts, answer, needs))
  }
  return (answer) => known.get(keyOf(answer)) ?? TOO_MANY
}

const keyOf = ({ namespace, asks }: StartAnswer): string => JSON.stringify([namespace, asks])

async function waitView(
  facts: ClusterFacts,
  { asks, namespace }: StartAnswer,
  { store, now: clock, namespaces }: StartNeeds,
): Promise<Wait> {
  const now = instant(clock())
  const history = await store.waits.past({
    cluster: facts.record.id,
    window: { from: instant(now - PAST_MS), to: now },
    asks,
    limit: MOST_WAITS,
    ...(namespaces === undefined ? {} : { namespaces }),
  })
  const { kind: _kind, ...estimate } = estimateWait(history, { now, namespace, asks, age: seconds(0) })
  return 'because' in estimate ? { wait: null, noWait: estimate.because } : { wait: estimate, noWait: null }
}
