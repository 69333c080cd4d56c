import {
  ADMISSION_CLASS,
  HOUR_MS,
  instant,
  rolloutOf,
  SETBACK_STATES,
  type AdmissionPermission,
  type ClusterRecord,
  type Log,
  type Store,
} from '@septet/domain'

import { readActPolicy } from '../act-policies.ts'
import { readPolicies } from '../policies.ts'
import type { Changes } from './admission-messages.ts'

const READ_MS = 1000
/** Those of other classes are among them. */
const SETBACKS = 100

export type PermissionParts = {
  readonly store: Pick<Store, 'settings' | 'actions' | 'admissions'>
  readonly clusters: () => readonly Pick<ClusterRecord, 'id' | 'kind'>[]
  /** Pods of a cluster that were changed, and how many of them no longer wait to be written down. */
  readonly changes: (cluster: string) => Changes
  readonly log: Log
  readonly now: () => number
}

type Read = { readonly permission: AdmissionPermission; readonly settled: number }

/** What may be changed where, read every second so that no answer waits for it: a stop order counts from the next reading on. */
export class Permissions {
  readonly #parts: PermissionParts
  readonly #read = new Map<string, Read>()
  #timer: NodeJS.Timeout | undefined
  #reading: Promise<void> = Promise.resolve()

  constructor(parts: PermissionParts) {
    this.#parts = parts
  }

  /** Reads once, and from then on every second. */
  async start(): Promise<void> {
    await this.refresh()
    this.#timer = setInterval(() => void this.refresh(), READ_MS).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#reading
  }

  /**
   * As it was read last, with what was changed since; undefined where it was never read. A change that was written down while
   * it was read may count twice until the next reading, and none is left out.
   */
  of(cluster: string): AdmissionPermission | undefined {
    const read = this.#read.get(cluster)
    if (read === undefined) return undefined
    const { permission, settled } = read
    const since = this.#parts.changes(cluster).made - settled
    const { hour, day } = permission.changed
    return { ...permission, changed: { hour: hour + since, day: day + since } }
  }

  refresh(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#readAll())
    return this.#reading
  }

  async #readAll(): Promise<void> {
    const { clusters, log } = this.#parts
    for (const cluster of clusters()) {
      try {
        this.#read.set(cluster.id, await this.#readOne(cluster))
      } catch (error) {
        log.warn('what may be changed in a cluster could not be read', { cluster: cluster.id, error: String(error) })
      }
    }
  }

  async #readOne(cluster: Pick<ClusterRecord, 'id' | 'kind'>): Promise<Read> {
    const { store, changes, now } = this.#parts
    const readAt = instant(now())
    const { settled } = changes(cluster.id)
    const changed = (ms: number) => store.admissions.countChanged({ cluster: cluster.id, since: instant(readAt - ms) })
    const [{ policy }, { policies }, stops, setbacks, hour, day] = await Promise.all([
      readActPolicy(store.settings, cluster),
      readPolicies(store.settings),
      store.actions.stops(),
      store.actions.list({ cluster: cluster.id, states: SETBACK_STATES, limit: SETBACKS }),
      changed(HOUR_MS),
      changed(24 * HOUR_MS),
    ])
    return {
      settled,
      permission: {
        policy,
        plans: policies.plans,
        stops: stops.filter((order) => order.cluster === undefined || order.cluster === cluster.id),
        halted: rolloutOf(ADMISSION_CLASS, setbacks, policy).halted,
        changed: { hour, day },
        readAt,
      },
    }
  }
}
