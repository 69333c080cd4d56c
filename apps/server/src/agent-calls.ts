import { InMemoryServerEventBus, type ServerEventBus } from '@modelcontextprotocol/server'
import type { ServerEvent } from '@septet/contract'
import type { Caller } from '@septet/domain'
import type { Call } from '@septet/tools/mcp'

/** One call of a tool, and whose it was. */
export type AgentCall = Call & { readonly at: number; readonly caller: Pick<Caller, 'id' | 'party' | 'name'> }

const KEPT = 500
/** Anyone who watches is told at most this often. */
const TOLD_EVERY_MS = 1000

type Parts = { readonly now: () => number; readonly publish: (event: ServerEvent) => void }

/** The newest calls, in memory: what somebody who watches wants to see. What was changed is in the audit log. */
export class AgentCalls {
  /** Tells clients that wait for it when what they are offered has changed. */
  readonly changes: ServerEventBus = new InMemoryServerEventBus()
  readonly #kept: AgentCall[] = []
  readonly #parts: Parts
  #isTelling = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  add(caller: Caller, call: Call): void {
    const { id, party, name } = caller
    this.#kept.push({ ...call, at: this.#parts.now(), caller: { id, party, name } })
    if (this.#kept.length > KEPT) this.#kept.shift()
    if (this.#isTelling) return
    this.#isTelling = true
    setTimeout(() => {
      this.#isTelling = false
      this.#parts.publish({ kind: 'agents', asOf: new Date(this.#parts.now()).toISOString() })
    }, TOLD_EVERY_MS).unref()
  }

  /** Newest first: all for an admin of everything, else the caller's own, and for a person those of who acts for them. */
  seenBy(caller: Caller, limit: number): readonly AgentCall[] {
    const isAll = caller.role === 'admin' && caller.namespaces === undefined && caller.clusters === undefined
    const seen = this.#kept.filter(
      ({ caller: { id, party } }) =>
        isAll || id === caller.id || (caller.kind === 'account' && party !== undefined && party === caller.party),
    )
    return seen.slice(-limit).toReversed()
  }
}
