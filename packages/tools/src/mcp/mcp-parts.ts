import type { Ask, Toolset } from '../tool.ts'

/** How a person confirms through the client. */
export type Confirming = {
  /** Who calls, and for whom: what was sealed for one is not taken from another. */
  readonly who: string
  /** Of the MAC: 32 bytes or more, the same on every replica. */
  readonly key: Uint8Array
  /** Asks operations as the person who confirmed. */
  readonly askAsPerson: Ask
  /** Whether this answer is the first to its question. */
  readonly isFirst: (question: string) => Promise<boolean>
}

/** What happened to one call, for the log that Settings → Agents shows. */
export type Call = {
  readonly tool: string
  readonly outcome: 'answered' | 'refused' | 'asked' | 'confirmed' | 'declined' | 'cancelled'
  /** Of a refusal. */
  readonly because: string | undefined
  readonly milliseconds: number
}

export type McpParts = {
  readonly version: string
  /** Asks operations as whoever calls. */
  readonly ask: Ask
  /** What whoever calls is offered: `read` always comes first. */
  readonly toolsets: readonly Toolset[]
  /** The address of Septet, without a slash at its end; empty where none is known. */
  readonly base: string
  /** How changes are confirmed; undefined: no person stands behind the caller, so they are confirmed in the dashboard. */
  readonly confirming: Confirming | undefined
  /** Whether whoever calls reads text alone, as clients before 2025-06-18 do, and not what is structured. */
  readonly isTextAlone: boolean
  /** Says that whoever called is no longer connected. */
  readonly connected: AbortSignal
  readonly onCall: (call: Call) => void
}
