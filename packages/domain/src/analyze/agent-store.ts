import type { Instant, Window } from '../units.ts'
import type { IdlePolicy } from './policy.ts'
import type { Span } from './usage.ts'

/** The agent that reads a cluster from within, as it was heard of last. */
export type AgentSeen = {
  /** Kept through its restarts; another agent has another one. */
  readonly instance: string
  readonly host: string
  readonly version: string
  /** Since when this one is the agent of its cluster. */
  readonly since: Instant
  readonly seenAt: Instant
  /** When the newest reading was taken that is stored; 0: none is. */
  readonly received: Instant
}

/** An agent that asks to be the one of its cluster, or to stay it. */
export type AgentVisit = Pick<AgentSeen, 'instance' | 'host' | 'version'> & {
  /** By the agent's clock, each later than the one before: what was said before counts once. */
  readonly signedAt: Instant
  readonly now: Instant
  /** After so long without a word another one may take its place, milliseconds. */
  readonly leaseMs: number
}

type AgentAdmission =
  | { readonly kind: 'admitted'; readonly agent: AgentSeen }
  /** Another one is the agent of this cluster. */
  | { readonly kind: 'held'; readonly by: AgentSeen }
  /** The same words were heard before. */
  | { readonly kind: 'replayed' }

/** One reading as an agent sent it. */
export type StoredReading = {
  /** When it was taken; also its place in the order. */
  readonly at: Instant
  readonly hasInventory: boolean
  readonly body: Uint8Array
}

/** Numbered from 0; a number that is there already is the same part. */
type PastPart = { readonly wish: string; readonly number: number; readonly body: Uint8Array }

type ReadingTaken = {
  /** `known`: it is stored already; `gap`: one that comes before it is not; `full`: too much waits to be worked on. */
  readonly kind: 'stored' | 'known' | 'gap' | 'full'
  readonly received: Instant
}

/** Usage from before an agent's readings, that a Septet wants of the agent's metrics engine. */
export type PastWish = {
  readonly id: string
  readonly window: Window
  readonly span: Span
  readonly idle: IdlePolicy
}

/**
 * What agents send, from when it arrived until the usage made of it is stored: `UsageStore.write` says up to where that is,
 * in one transaction with the rows, so that no reading counts twice or not at all.
 */
export type AgentStore = {
  /** Lets one agent at a time be the one of a cluster. */
  visit(cluster: string, visit: AgentVisit): Promise<AgentAdmission>
  /** Keeps a reading that follows the one `after`, from the agent that was admitted. */
  take(cluster: string, reading: StoredReading & { readonly after: Instant }): Promise<ReadingTaken>
  seen(cluster: string): Promise<AgentSeen | undefined>
  /** Up to where usage is stored, and the last reading up to there that tells the inventory. */
  worked(cluster: string): Promise<{ readonly to: Instant; readonly inventory: StoredReading | undefined }>
  /** What was taken after an instant, in order. */
  after(cluster: string, at: Instant, limit: number): Promise<readonly StoredReading[]>
  /** What is wanted of the past from now on; parts of what was wanted before go. */
  wish(cluster: string, wish: PastWish | undefined): Promise<void>
  wished(cluster: string): Promise<PastWish | undefined>
  /** Keeps a part of the past; `unwanted` where another wish stands, `full` where enough parts wait to be taken. */
  addPast(cluster: string, part: PastPart): Promise<'stored' | 'unwanted' | 'full'>
  /** Parts of a wish that have arrived since, in order. They are gone then. */
  takePast(cluster: string, wish: string): Promise<readonly Uint8Array[]>
  /** The agent stops: another may begin at once. */
  leave(cluster: string, instance: string): Promise<void>
  forget(cluster: string): Promise<void>
}
