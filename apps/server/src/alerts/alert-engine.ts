import { randomUUID } from 'node:crypto'

import type { ServerEvent } from '@septet/contract'
import {
  DAY_MS,
  instant,
  markTold,
  noticesOf,
  type Alert,
  type AlertQuestion,
  type AlertRules,
  type BudgetReading,
  type Delivery,
  type Instant,
  type Log,
  type Notice,
  type Store,
} from '@septet/domain'

import { GIVE_UP_MS, readAlertRules, readChannels } from '../alert-settings.ts'
import type { ClusterFacts, Facts } from '../facts.ts'
import { readTenants } from '../tenants.ts'
import { alertMessage } from './alert-message.ts'
import { judgeUnread } from './judge-alerts.ts'
import { inTime } from '../in-time.ts'
import { LoopRecord, type ServerLoop } from '../repeat.ts'

type Needs = {
  readonly facts: Facts
  readonly store: Pick<Store, 'alerts' | 'events' | 'settings'>
  readonly log: Log
  readonly now: () => number
  readonly siteUrl: () => string
  readonly publish: (event: ServerEvent) => void
  /** What budgets have come to; undefined where that is not known. */
  readonly budgets: (facts: ClusterFacts) => Promise<readonly BudgetReading[] | undefined>
  /** Called when something waits to be sent. */
  readonly wake: () => void
}

/** Also where nothing new comes from a cluster, that is looked at so often, milliseconds. */
const LOOK_MS = 30_000
/** A fleet that changes all the time is not judged all the time. */
const LEAST_GAP_MS = 10_000
const JUDGED_WITHIN_MS = 10_000
const UPKEEP_MS = 3_600_000
const KEPT = { alerts: 90 * DAY_MS, deliveries: 30 * DAY_MS, events: 400 * DAY_MS }

/**
 * Judges every cluster, keeps what came of it and queues what is to be told. It remembers nothing itself: what the store
 * has is where it goes on, so a restart tells nobody twice.
 */
export class AlertEngine {
  readonly #needs: Needs
  readonly #running = new Map<string, Promise<void>>()
  #timer: ReturnType<typeof setInterval> | undefined
  readonly #judgedAt = new Map<string, number>()
  readonly #records = new Map<string, LoopRecord>()
  readonly #pruning = new LoopRecord('alert-retention', LOOK_MS)
  #keptUpAt = 0

  constructor(needs: Needs) {
    this.#needs = needs
  }

  start(): void {
    this.#timer = setInterval(() => this.#lookAtAll(), LOOK_MS)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#running.values())
  }

  /** How the judging of each cluster that is there goes, and the removing of what is old. */
  loops(): readonly ServerLoop[] {
    const there = new Set(this.#needs.facts.clusters().map(({ record }) => record.id))
    const judging = [...this.#records].filter(([cluster]) => there.has(cluster))
    return [...judging.map(([cluster, record]) => ({ ...record.state(), cluster })), this.#pruning.state()]
  }

  /** Judges one cluster now, unless that is under way. Never fails. */
  evaluate(facts: ClusterFacts): Promise<void> {
    const { id } = facts.record
    const running = this.#running.get(id)
    if (running !== undefined) return running
    this.#judgedAt.set(id, this.#needs.now())
    const record = this.#records.get(id) ?? new LoopRecord('alerts', LOOK_MS)
    this.#records.set(id, record)
    const turn = record
      .run(() => this.#turn(facts))
      .catch((error: unknown) => this.#needs.log.warn('alerts were not judged', { cluster: id, error: String(error) }))
      .finally(() => this.#running.delete(id))
    this.#running.set(id, turn)
    return turn
  }

  /** Judges it by the rules as they are now: a judging that is under way may have read others. Never fails. */
  async reconsider(facts: ClusterFacts): Promise<void> {
    await this.#running.get(facts.record.id)
    await this.evaluate(facts)
  }

  /** As `evaluate`, unless that was done a moment ago. */
  async evaluateSoon(facts: ClusterFacts): Promise<void> {
    const last = this.#judgedAt.get(facts.record.id)
    const now = this.#needs.now()
    if (last === undefined || now < last || now - last >= LEAST_GAP_MS) await this.evaluate(facts)
  }

  #lookAtAll(): void {
    for (const facts of this.#needs.facts.clusters()) void this.evaluateSoon(facts)
    void this.#pruning
      .run(() => this.#upkeep())
      .catch((error: unknown) => this.#needs.log.warn('old alerts were not removed', { error: String(error) }))
  }

  async #turn(facts: ClusterFacts): Promise<void> {
    const { store, wake, publish } = this.#needs
    const cluster = facts.record.id
    const question = await this.#question(facts)
    const { now, rules, current } = question
    const changed = await this.#judged(facts, question)
    const all = [...new Map([...current, ...changed].map((alert) => [alert.id, alert])).values()]
    const { told, deliveries } = await this.#tell(all, facts, { rules, now })
    const written = new Map([...changed, ...told].map((alert) => [alert.id, alert]))
    if (written.size === 0) return
    await store.alerts.write([...written.values()], deliveries)
    if (deliveries.length > 0) wake()
    const before = new Map(current.map((alert) => [alert.id, alert.status]))
    const isNews = changed.some(
      ({ id, status }) => before.get(id) !== status && (before.has(id) || status === 'firing'),
    )
    if (isNews) publish({ kind: 'alerts', cluster, asOf: new Date(now).toISOString() })
  }

  async #tell(
    all: readonly Alert[],
    { record }: ClusterFacts,
    { rules, now }: { readonly rules: AlertRules; readonly now: Instant },
  ): Promise<{ readonly told: Alert[]; readonly deliveries: Delivery[] }> {
    const { store, siteUrl } = this.#needs
    const channels = new Set((await readChannels(store.settings)).map(({ id }) => id))
    const notices = noticesOf(all, { rules, channels, now })
    const place = { cluster: { id: record.id, name: record.name }, siteUrl: siteUrl() }
    const told = new Map(notices.flatMap(({ alerts }) => alerts.map((alert) => [alert.id, markTold(alert, now)])))
    const deliveries = notices.map((notice) =>
      newDelivery(notice, { now, cluster: record.id, ...contentOf(notice, place) }),
    )
    return { told: [...told.values()], deliveries }
  }

  async #question(facts: ClusterFacts): Promise<AlertQuestion> {
    const { store, budgets, log } = this.#needs
    const cluster = facts.record.id
    const spent = await budgets(facts).catch((error: unknown) => {
      log.warn('budgets were not judged', { cluster, error: String(error) })
      return undefined
    })
    const now = instant(this.#needs.now())
    const [rules, tenants, current] = await Promise.all([
      readAlertRules(store.settings),
      readTenants(store.settings),
      store.alerts.current(cluster, now),
    ])
    return { clusterName: facts.record.name, now, budgets: spent, tenants, rules, current }
  }

  /** By the pipeline, which has the cluster. Of one that is busy or gone it must be told that nothing new comes. */
  async #judged(facts: ClusterFacts, question: AlertQuestion): Promise<readonly Alert[]> {
    const changed = await inTime(
      JUDGED_WITHIN_MS,
      facts.judge(question).catch(() => undefined),
    )
    return changed ?? judgeUnread(facts, question)
  }

  async #upkeep(): Promise<void> {
    const { store, now } = this.#needs
    if (now() - this.#keptUpAt < UPKEEP_MS) return
    this.#keptUpAt = now()
    await store.alerts.prune(instant(now() - KEPT.alerts))
    await store.alerts.deliveries.prune(instant(now() - KEPT.deliveries))
    await store.events.prune(instant(now() - KEPT.events))
  }
}

function contentOf(notice: Notice, place: Parameters<typeof alertMessage>[1]): Pick<Delivery, 'title' | 'content'> {
  const content = alertMessage(notice, place)
  return { title: content.title, content }
}

type Made = Pick<Delivery, 'title' | 'content' | 'cluster'> & { readonly now: Instant }

/** A message that waits to be sent. */
export const newDelivery = (
  { channel, about, alerts }: Pick<Delivery, 'channel' | 'about'> & { readonly alerts: readonly Pick<Alert, 'id'>[] },
  { now, ...rest }: Made,
): Delivery => ({
  id: `msg_${randomUUID().replaceAll('-', '')}`,
  channel,
  about,
  alerts: alerts.map(({ id }) => id),
  ...rest,
  createdAt: now,
  state: 'waiting',
  attempts: 0,
  nextAt: now,
  giveUpAt: instant(now + GIVE_UP_MS),
})
