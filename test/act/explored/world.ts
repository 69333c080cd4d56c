import type { ActionRun, ClusterWrite } from '@septet/domain'
import type { ActorMemory } from '@septet/server/testing/act'

import type { Cluster } from './cluster-model.ts'
import type { Reading } from './cluster-view.ts'
import type { Kept } from './store-twin.ts'

/** A call of an actor to the store or to the API server. */
export type Call = {
  /** Which call of its turn. */
  readonly number: number
  readonly port: 'store' | 'cluster'
  readonly name: string
  readonly given: readonly unknown[]
  /** When it was made, by the actor's clock. */
  readonly at: number
}

export type Answer = { readonly value: unknown } | { readonly error: string }

/** What a turn was answered, last first: states that follow one another share it. */
export type Told = {
  readonly number: number
  readonly answer: Answer
  readonly before: Told | undefined
  /** Of all of it, by the times of its turn. */
  readonly hash: number
}

/** The lead that an actor holds, and when that was last confirmed. */
type Lead = { readonly token: number; readonly at: number }

/** An answer that an actor had to wait for, and what else it sees from then on. */
export type Release = {
  readonly number: number
  readonly now: number
  readonly reading: Reading | undefined
  readonly lead: Lead | undefined
  /** The write that it is the answer to; undefined where it is none, or did not come. */
  readonly settles?: { readonly run: string; readonly number: number; readonly isDone: boolean } | undefined
  /** It did not come. */
  readonly isLost: boolean
}

/** A turn that stands in the middle: what it knew, what it was answered, and what it waits for. */
export type Turn = {
  readonly begins: {
    readonly now: number
    readonly reading: Reading | undefined
    readonly memory: ActorMemory
    readonly lead: Lead | undefined
  }
  readonly answers: Told | undefined
  readonly releases: readonly Release[]
  readonly pending: readonly Call[]
}

export type ActorState = {
  readonly memory: ActorMemory
  readonly turn: Turn | undefined
  readonly lead: Lead | undefined
  /** When its newest turn began; each begins at most one in an instant. */
  readonly turnedAt: number
  /** When it last looked at the switch in the cluster, and whether that says stop. */
  readonly looked: { readonly at: number; readonly isStop: boolean }
  /** Writes that were recorded in its turn, as `run/number`. */
  readonly intents: readonly string[]
  /** How often it was started: each has a name of its own. */
  readonly lives: number
}

/** A write that is still on its way to the API server, and by which run it was recorded. */
export type LateWrite = {
  readonly write: ClusterWrite
  readonly effect: string
  readonly run: string
  /** What its actor had recorded in that turn. */
  readonly own: readonly string[]
  /** When it was sent: it arrives within a minute or not at all. */
  readonly at: number
}

/** How often each may still happen. */
export type Left = {
  readonly crash: number
  /** An answer that does not come, whether or not the call did. */
  readonly lost: number
  /** A write that arrives later, or a second time. */
  readonly late: number
  /** The API server refuses, for now or for good. */
  readonly refused: number
  readonly foreign: number
  readonly stop: number
  /** Another installation takes the Lease. */
  readonly lease: number
  readonly undo: number
  readonly mig: number
  /** Time passes without a new reading. */
  readonly stale: number
  /** Time passes although an actor has something to do: its process stands still. */
  readonly pause: number
  /** Time passes although the cluster has something to do. */
  readonly slow: number
  /** Eleven minutes pass at once. */
  readonly long: number
}

/** What is known of what happened, beside what store and cluster say. */
type Ghost = {
  /** How often each recorded write had an effect. */
  readonly effects: Readonly<Record<string, number>>
  /** Fields that others have set since it began, with what they set. */
  readonly theirs: Readonly<Record<string, unknown>>
  readonly evicted: ReadonlyArray<{ readonly at: number }>
  /** Which actor has written under a fence, by its number. */
  readonly acted: Readonly<Record<number, string>>
}

export type World = {
  readonly now: number
  readonly cluster: Cluster
  readonly reading: Reading | undefined
  readonly kept: Kept
  readonly actors: readonly ActorState[]
  readonly network: readonly LateWrite[]
  readonly left: Left
  readonly ghost: Ghost
  /** What must not be, once it is. */
  readonly flaw: string | undefined
}

/** What somebody else does to the cluster, once. */
export type Foreign = { readonly says: string; readonly does: (cluster: Cluster, now: number) => Cluster | undefined }

/** One cluster with what is to be done on it, and what may go wrong. */
export type Scenario = {
  readonly name: string
  readonly cluster: Cluster
  readonly runs: readonly ActionRun[]
  readonly left: Left
  readonly foreign: readonly Foreign[]
  readonly actors: number
  /** What each node of the runs is cut into, and how many replicas workloads have, once all is kept. */
  readonly wanted: Readonly<Record<string, unknown>>
  readonly policy: { readonly podsPerHour?: number; readonly warningSeconds?: number }
  /** Also stop between two looks at the cluster. */
  readonly isFine?: boolean
}
