import { isIP } from 'node:net'
import { promisify } from 'node:util'

import { instant, usd, type BudgetReading, type BudgetState, type Instant, type Log, type Store } from '@septet/domain'
import { AddressRefused, guarded } from '@septet/connectors'
import type { ServerEvent } from '@septet/contract'

import { AlertEngine, newDelivery } from '../alerts/alert-engine.ts'
import { testMessage } from '../alerts/alert-message.ts'
import { Dispatcher } from '../alerts/dispatcher.ts'
import { prometheusRule } from '../alerts/prometheus-rule.ts'
import type { Carriers } from '../alerts/send-delivery.ts'
import { tellOfRuns } from '../alerts/tell-of-runs.ts'
import { makeSigningSecret } from '../alerts/sign-webhook.ts'
import { openMailer, type AuthContext } from '@septet/auth'
import { budgetStatesOf } from '../usage/budget-states.ts'
import type { ClusterFacts, Facts } from '../facts.ts'
import { lookUntil } from '../in-time.ts'
import { keptFor } from '../recently-used.ts'
import { repeat, type ServerLoop } from '../repeat.ts'
import type { OtherServers } from '../other-servers.ts'
import type { AlertService } from '../operations/alerts/alert-service.ts'

export type Alerts = {
  readonly service: AlertService
  /** Begins to judge and to send, as long as `isLeading` says that no other server does; all is written into this store. */
  start(store: Store, isLeading: () => boolean): void
  stop(): Promise<void>
  /** How its loops go; none where nothing is judged here. */
  loops(): readonly ServerLoop[]
  /** Called with everything that the event stream says: a new analysis is judged at once. */
  heard(event: ServerEvent): void
}

type Needs = {
  readonly facts: Facts
  readonly store: Store
  readonly log: Log
  readonly auth: Pick<AuthContext, 'secrets' | 'config' | 'siteUrl'>
  readonly allowLoopback: boolean
  readonly publish: (event: ServerEvent) => void
  readonly others: OtherServers
}

const WEBHOOK_TIMEOUT_MS = 10_000
const SETTLE_MS = 15_000
/** Of their own: alerts must not use up the letters that people sign in with. */
const MAILS_PER_HOUR = 120

/** What actions say and nobody heard of is looked for so often, milliseconds. */
const TELL_MS = 30_000

/** Joins what judges, what sends and what is asked about both. */
export function openAlerts(needs: Needs): Alerts {
  const { facts, store, auth, allowLoopback, others } = needs
  let sending: Sending | undefined
  others.hear(({ kind }) => kind === 'alert-rules' && sending?.reconsider())
  return {
    service: serviceOf({ store, auth, allowLoopback, others, sending: () => sending }),
    loops: () => sending?.loops() ?? [],
    start: (under, isLeading) => (sending = startSending({ ...needs, store: under, isLeading })),
    async stop() {
      const ending = sending
      sending = undefined
      await ending?.stop()
    },
    heard(event) {
      if (event.kind !== 'analysis' && event.kind !== 'actions') return
      const cluster = facts.clusters().find(({ record }) => record.id === event.cluster)
      if (cluster === undefined) return
      if (event.kind === 'actions') sending?.tell(cluster)
      else sending?.judge(cluster)
    },
  }
}

type Sending = {
  readonly dispatcher: Dispatcher
  tell(cluster: ClusterFacts): void
  judge(cluster: ClusterFacts): void
  reconsider(): void
  loops(): readonly ServerLoop[]
  stop(): Promise<void>
}

function startSending(needs: Needs & { readonly isLeading: () => boolean }): Sending {
  const { facts, store, log, auth, allowLoopback, publish, isLeading } = needs
  const { smtp } = auth.config
  const mailer = openMailer({ smtp, mails: store.access.mails, log, now, hourly: MAILS_PER_HOUR })
  const carriers: Carriers = {
    open: (purpose, sealed) =>
      Buffer.from(auth.secrets.unseal(purpose, Buffer.from(sealed, 'base64'))).toString('utf8'),
    mail: (letter) => mailer.send({ kind: 'alert', ...letter }),
    guard: (target) => guarded(target, allowLoopback),
    timeoutMs: WEBHOOK_TIMEOUT_MS,
    now,
  }
  const dispatcher = new Dispatcher({ store, carriers, log, isLeading })
  const { siteUrl } = auth
  const wake = (): void => void dispatcher.wake()
  const budgets = budgetReadings(store)
  const engine = new AlertEngine({ facts, store, log, now, siteUrl, publish, budgets, wake })
  const seal = (text: string): string => auth.secrets.keyedHash('keep-link', text)
  const tell = async ({ record }: ClusterFacts): Promise<void> => {
    if (await tellOfRuns({ store, siteUrl, seal, now }, record)) wake()
  }
  const onError = (error: unknown): void => log.warn('what actions say could not be sent', { error: String(error) })
  const tellAll = async (): Promise<void> => void (await Promise.all(facts.clusters().map(tell)))
  engine.start()
  const telling = repeat(tellAll, { name: 'action-notices', everyMs: TELL_MS, startMs: TELL_MS, onError })
  dispatcher.start()
  return {
    dispatcher,
    tell: (cluster) => void tell(cluster).catch(onError),
    judge: (cluster) => void engine.evaluateSoon(cluster),
    reconsider: () => facts.clusters().forEach((cluster) => void engine.reconsider(cluster)),
    loops: () => [...engine.loops(), dispatcher.loop(), telling.state()],
    async stop() {
      await telling.stop()
      await engine.stop()
      await dispatcher.stop()
      await mailer.close()
    },
  }
}

type ServiceParts = Pick<Needs, 'store' | 'auth' | 'allowLoopback' | 'others'> & {
  readonly sending: () => Sending | undefined
}

const serviceOf = ({ store, auth, allowLoopback, others, sending }: ServiceParts): AlertService => ({
  seal: (purpose, plain) => Buffer.from(auth.secrets.seal(purpose, Buffer.from(plain))).toString('base64'),
  makeSigningSecret,
  checkTarget: (url) => checkTarget(url, allowLoopback),
  testDelivery: (channel) => {
    const content = testMessage(auth.siteUrl())
    const made = { now: now(), cluster: '', title: content.title, content }
    return newDelivery({ channel, about: 'test', alerts: [] }, made)
  },
  settled: (delivery) => sending()?.dispatcher.settled(delivery, SETTLE_MS) ?? sentElsewhere(store, delivery),
  reconsider() {
    const here = sending()
    if (here === undefined) others.tell({ kind: 'alert-rules' })
    else here.reconsider()
  },
  prometheusRule,
  keepsMails: auth.config.smtp === undefined,
})

/** Waits until the server that sends has tried it. */
async function sentElsewhere({ alerts: { deliveries } }: Pick<Store, 'alerts'>, id: string): Promise<void> {
  const tries = async (): Promise<number> => (await deliveries.get(id))?.attempts ?? 0
  const before = await tries()
  await lookUntil(SETTLE_MS, tries, (now) => now !== before)
}

/** Budgets change by the day: they are not read again for every look. */
const BUDGETS_KEPT_MS = 300_000

/** What the budgets of a cluster have come to, at most five minutes old. */
function budgetReadings(store: Store): (cluster: ClusterFacts) => Promise<readonly BudgetReading[]> {
  const kept = keptFor<readonly BudgetReading[]>(BUDGETS_KEPT_MS, now)
  return (cluster) =>
    kept.get(cluster.record.id, async () => (await budgetStatesOf({ store, now: now() }, cluster)).map(readingOf))
}

function readingOf(state: BudgetState): BudgetReading {
  const { budget } = state
  const { scope } = budget
  return {
    id: budget.id,
    name: budget.id,
    spent: state.spent,
    limit: usd(budget.usdPerMonth),
    thresholds: budget.thresholds,
    namespace: scope.kind === 'namespace' ? scope.name : undefined,
    tenant: scope.kind === 'tenant' ? scope.name : undefined,
  }
}

const now = (): Instant => instant(Date.now())

/** A name that does not resolve now may later: it is looked at again whenever something is sent. */
async function checkTarget(url: string, allowLoopback: boolean): Promise<void> {
  const target = new URL(url)
  const look = promisify(guarded(target, allowLoopback).lookup)
  if (isIP(target.hostname.replace(/^\[|\]$/gu, '')) !== 0) return
  await look(target.hostname, {}).catch((error: unknown) => {
    if (error instanceof AddressRefused) throw error
  })
}
