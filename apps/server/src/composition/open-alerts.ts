import { isIP } from 'node:net'
import { promisify } from 'node:util'

import {
  instant,
  knownSpent,
  usd,
  type BudgetReading,
  type BudgetState,
  type Instant,
  type Log,
  type Store,
} from '@septet/domain'
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
import { keptFor } from '../recently-used.ts'
import type { AlertService } from '../operations/alerts/alert-service.ts'

export type Alerts = {
  readonly service: AlertService
  /** Begins to judge and to send. */
  start(): void
  stop(): Promise<void>
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
}

const WEBHOOK_TIMEOUT_MS = 10_000
const SETTLE_MS = 15_000
/** Of their own: alerts must not use up the letters that people sign in with. */
const MAILS_PER_HOUR = 120

/** What actions say and nobody heard of is looked for so often, milliseconds. */
const TELL_MS = 30_000

/** Joins what judges, what sends and what is asked about both. */
export function openAlerts({ facts, store, log, auth, allowLoopback, publish }: Needs): Alerts {
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
  const dispatcher = new Dispatcher({ store, carriers, log })
  const { siteUrl } = auth
  const wake = (): void => void dispatcher.wake()
  const budgets = budgetReadings(store)
  const engine = new AlertEngine({ facts, store, log, now, siteUrl, publish, budgets, wake })
  const reconsider = (): void => {
    for (const cluster of facts.clusters()) void engine.evaluate(cluster)
  }
  const seal = (text: string): string => auth.secrets.keyedHash('keep-link', text)
  const tell = ({ record }: ClusterFacts): Promise<void> =>
    tellOfRuns({ store, siteUrl, seal, now }, record).then(
      (told) => void (told && wake()),
      (error: unknown) => log.warn('what actions say could not be sent', { cluster: record.id, error: String(error) }),
    )
  let telling: NodeJS.Timeout | undefined
  return {
    service: serviceOf({ auth, allowLoopback, dispatcher, reconsider }),
    start() {
      engine.start()
      telling = setInterval(() => facts.clusters().forEach((cluster) => void tell(cluster)), TELL_MS).unref()
      dispatcher.start()
    },
    async stop() {
      clearInterval(telling)
      await engine.stop()
      await dispatcher.stop()
      await mailer.close()
    },
    heard(event) {
      if (event.kind !== 'analysis' && event.kind !== 'actions') return
      const cluster = facts.clusters().find(({ record }) => record.id === event.cluster)
      if (cluster === undefined) return
      if (event.kind === 'actions') void tell(cluster)
      else void engine.evaluateSoon(cluster)
    },
  }
}

type ServiceParts = Pick<Needs, 'auth' | 'allowLoopback'> &
  Pick<AlertService, 'reconsider'> & { readonly dispatcher: Dispatcher }

const serviceOf = ({ auth, allowLoopback, dispatcher, reconsider }: ServiceParts): AlertService => ({
  seal: (purpose, plain) => Buffer.from(auth.secrets.seal(purpose, Buffer.from(plain))).toString('base64'),
  makeSigningSecret,
  checkTarget: (url) => checkTarget(url, allowLoopback),
  testDelivery: (channel) => {
    const content = testMessage(auth.siteUrl())
    const made = { now: now(), cluster: '', title: content.title, content }
    return newDelivery({ channel, about: 'test', alerts: [] }, made)
  },
  settled: (delivery) => dispatcher.settled(delivery, SETTLE_MS),
  reconsider,
  prometheusRule,
  keepsMails: auth.config.smtp === undefined,
})

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
    spent: knownSpent(state),
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
