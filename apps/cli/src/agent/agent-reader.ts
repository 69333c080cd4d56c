import { createHash } from 'node:crypto'

import {
  instant,
  seconds,
  type ClusterReader,
  type HistoryReader,
  type Instant,
  type Inventory,
  type Problem,
  type TelemetryReader,
} from '@septet/domain'
import { errorText, plural } from '@septet/domain/words'
import type { AgentReading } from '@septet/plan-files'

import type { WaitingReadings } from './reading-buffer.ts'

/** What an agent reads a cluster with: the connectors that Septet itself would use. */
export type AgentConnections = {
  readonly reader: ClusterReader
  /** Undefined where no source of metrics is named. */
  readonly telemetry: TelemetryReader | undefined
  /** Usage of before the first reading; undefined where no metrics engine is named. */
  readonly history: HistoryReader | undefined
}

/** Takes readings of one cluster; an inventory is part of one only where it has changed since the one before. */
export class AgentReader {
  readonly #connections: AgentConnections
  #inventory: Inventory | undefined
  #digest = ''

  constructor(connections: AgentConnections) {
    this.#connections = connections
  }

  /** One reading, dated by `clock` once all of it is read. */
  async read(clock: () => Instant, pollSeconds: number, lost: WaitingReadings['lost']): Promise<AgentReading> {
    const telemetry = await this.#telemetry()
    const { kind, lastContact, problems } = this.#connections.reader.state()
    const inventory = this.#changed()
    return {
      at: clock(),
      interval: seconds(pollSeconds),
      connection: { kind, lastContact, problems: [...problems, ...lostProblems(lost)] },
      ...(inventory === undefined ? {} : { inventory }),
      telemetry,
    }
  }

  async #telemetry(): Promise<AgentReading['telemetry']> {
    const { telemetry } = this.#connections
    if (telemetry === undefined) return { kind: 'none' }
    try {
      return { kind: 'read', ...(await telemetry.read()) }
    } catch (error) {
      return { kind: 'failed', message: errorText(error) }
    }
  }

  #changed(): Inventory | undefined {
    const inventory = this.#connections.reader.inventory()
    if (inventory === undefined || inventory === this.#inventory) return undefined
    const digest = createHash('sha1')
      .update(JSON.stringify({ ...inventory, takenAt: instant(0) }))
      .digest('hex')
    this.#inventory = inventory
    if (digest === this.#digest) return undefined
    this.#digest = digest
    return inventory
  }
}

function lostProblems(lost: WaitingReadings['lost']): readonly Problem[] {
  if (lost === undefined) return []
  const [from, to] = [new Date(lost.from).toISOString(), new Date(lost.to).toISOString()]
  const message = `${plural(lost.readings, 'reading')} from ${from} to ${to} ${lost.readings === 1 ? 'is' : 'are'} missing: the buffer of the agent was full while it could not send. Give it more with --buffer-mib.`
  return [{ code: 'agent-buffer-full', message, object: 'agent' }]
}
