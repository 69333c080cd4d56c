import { randomUUID } from 'node:crypto'
import { deserialize, serialize } from 'node:v8'

import { InMemoryServerEventBus, type ServerEventBus } from '@modelcontextprotocol/server'
import type { ServerEvent } from '@septet/contract'
import { DAY_MS, instant, type Caller, type NoteStore } from '@septet/domain'
import type { Call } from '@septet/tools/mcp'

import type { OtherServers } from './other-servers.ts'

/** One call of a tool, and whose it was. */
export type AgentCall = Call & { readonly at: number; readonly caller: Pick<Caller, 'id' | 'party' | 'name'> }

const KIND = 'agent-call'
const KEPT = 500
const KEPT_MS = 30 * DAY_MS
/** Anyone who watches is told at most this often. */
const TOLD_EVERY_MS = 1000

type Parts = {
  readonly notes: NoteStore
  readonly now: () => number
  readonly publish: (event: ServerEvent) => void
  readonly others: OtherServers
}

/** The newest calls at all servers on one database: what somebody who watches wants to see. What was changed is in the audit log. */
export class AgentCalls {
  /** Tells clients that wait for it when what they are offered has changed. */
  readonly changes: ServerEventBus = new InMemoryServerEventBus()
  readonly #parts: Parts
  readonly #writing = new Set<Promise<unknown>>()
  #isTelling = false

  constructor(parts: Parts) {
    this.#parts = parts
    parts.others.hear(({ kind }) => kind === 'tools' && this.changes.publish({ kind: 'tools_list_changed' }))
  }

  /** What programs are offered has changed, here and at every other server. */
  offeredAnew(): void {
    this.changes.publish({ kind: 'tools_list_changed' })
    this.#parts.others.tell({ kind: 'tools' })
  }

  add(caller: Caller, call: Call): void {
    const { id, party, name } = caller
    const { notes, now } = this.#parts
    const at = instant(now())
    const made: AgentCall = { ...call, at, caller: { id, party, name } }
    const note = { kind: KIND, id: randomUUID(), owner: name, at, until: instant(at + KEPT_MS), bytes: serialize(made) }
    // A call that cannot be noted was answered all the same.
    const writing: Promise<unknown> = notes
      .add(note)
      .catch(() => undefined)
      .finally(() => this.#writing.delete(writing))
    this.#writing.add(writing)
    this.#tellSoon()
  }

  /** Newest first: all for an admin of everything, else the caller's own, and for a person those of who acts for them. */
  async seenBy(caller: Caller, limit: number): Promise<readonly AgentCall[]> {
    const isAll = caller.role === 'admin' && caller.namespaces === undefined && caller.clusters === undefined
    await Promise.all(this.#writing)
    const kept = (await this.#parts.notes.newest(KIND, KEPT)).map(({ bytes }): AgentCall => deserialize(bytes))
    const seen = kept.filter(
      ({ caller: { id, party } }) =>
        isAll || id === caller.id || (caller.kind === 'account' && party !== undefined && party === caller.party),
    )
    return seen.slice(0, limit)
  }

  #tellSoon(): void {
    if (this.#isTelling) return
    this.#isTelling = true
    setTimeout(() => {
      this.#isTelling = false
      const { notes, now, publish } = this.#parts
      publish({ kind: 'agents', asOf: new Date(now()).toISOString() })
      notes.trim(KIND, KEPT).catch(() => undefined)
    }, TOLD_EVERY_MS).unref()
  }
}
