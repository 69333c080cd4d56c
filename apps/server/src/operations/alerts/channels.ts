import { errorText } from '@septet/domain/words'
import { type Refusal, type DeliveryView, invalidInput, notFound } from '@septet/contract'
import { instant, type Delivery, type DeliveryAttempt, type Store } from '@septet/domain'
import { z } from 'zod'

import { GIVE_UP_MS, readChannels, writeChannels, type Channel } from '../../alert-settings.ts'
import type { AlertService } from './alert-service.ts'
import { isoOf, isoOrNull } from '../answering/view.ts'
import type { AnswersOf } from '../answering/answering.ts'

type Needs = {
  readonly store: Pick<Store, 'settings' | 'alerts'>
  readonly alerts: AlertService
  readonly now: () => number
}

/** The channels that alerts are sent to, and what was sent. */
export const channelAnswers = ({ store, alerts, now }: Needs): AnswersOf<'channels' | 'deliveries'> => ({
  async channelsList() {
    return { channels: (await readChannels(store.settings)).map(channelView), keepsMails: alerts.keepsMails }
  },
  /** Adds or replaces a channel. What it is sealed with is bound to its id, so a copy under another name opens nothing. */
  async channelsPut({ id, kind, target }, { caller }) {
    const shown = kind === 'email' ? mailAddress(target) : await webhookHost(target, alerts)
    const secret = kind === 'webhook' ? alerts.makeSigningSecret() : null
    const channel: Channel = {
      id,
      kind,
      shown,
      sealedTarget: alerts.seal(`channel/${id}`, target),
      sealedSecret: secret === null ? null : alerts.seal(`channel-secret/${id}`, secret),
      changedAt: now(),
      changedBy: caller.name,
    }
    const others = (await readChannels(store.settings)).filter((each) => each.id !== id)
    if (others.length >= MOST_CHANNELS) {
      throw invalidInput(`There are ${MOST_CHANNELS} channels already.`, 'Remove one that is not used.')
    }
    await writeChannels(
      store.settings,
      [...others, channel].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    )
    return { channel: channelView(channel), secret }
  },
  async channelsRemove({ id }) {
    await needChannel(store, id)
    const channels = await readChannels(store.settings)
    await writeChannels(
      store.settings,
      channels.filter((each) => each.id !== id),
    )
    return { removed: id }
  },
  /** Sends a test and tells what came of it. */
  async channelsTest({ id }) {
    await needChannel(store, id)
    const delivery = alerts.testDelivery(id)
    await store.alerts.deliveries.add(delivery)
    await alerts.settled(delivery.id)
    return { delivery: await oneView(store, delivery.id) }
  },
  async deliveriesList({ channel, state, limit }) {
    const found = await store.alerts.deliveries.list({
      limit,
      ...(channel === undefined ? {} : { channel }),
      ...(state === undefined ? {} : { state }),
    })
    return { deliveries: await views(store, found) }
  },
  /** Sends a message again, with its id. */
  async deliveriesRedeliver({ id }) {
    const isThere = await store.alerts.deliveries.retry(id, {
      nextAt: instant(now()),
      giveUpAt: instant(now() + GIVE_UP_MS),
    })
    if (!isThere) throw noDelivery(id)
    await alerts.settled(id)
    return { delivery: await oneView(store, id) }
  },
})

const MOST_CHANNELS = 50

function mailAddress(target: string): string {
  if (z.email().safeParse(target).success) return target
  throw invalidInput(`"${target}" is not an email address.`, 'Enter one address, like gpu-team@example.com.')
}

async function webhookHost(target: string, service: AlertService): Promise<string> {
  const isAddress = z.url({ protocol: /^https?$/u }).safeParse(target).success
  if (!isAddress) {
    throw invalidInput('The target is not an http:// or https:// URL.', 'Enter the full URL.')
  }
  const url = new URL(target)
  if (url.username !== '' || url.password !== '') {
    throw invalidInput('The target contains a user name or password.', 'Put a token in the path instead.')
  }
  try {
    await service.checkTarget(target)
  } catch (error) {
    const because = errorText(error)
    throw invalidInput(because, 'Use a receiver address that Septet is allowed to reach.')
  }
  return url.host
}

async function needChannel({ settings }: Needs['store'], id: string): Promise<void> {
  const known = (await readChannels(settings)).map((each) => each.id)
  if (known.includes(id)) return
  const hint = known.length === 0 ? 'There is none yet: add one.' : `There are: ${known.join(', ')}.`
  throw notFound(`There is no channel "${id}".`, hint)
}

const noDelivery = (id: string): Refusal =>
  notFound(`There is no delivery "${id}".`, 'List the deliveries; old ones are removed after 30 days.')

async function oneView(store: Needs['store'], id: string): Promise<DeliveryView> {
  const found = await store.alerts.deliveries.get(id)
  const [view] = await views(store, found === undefined ? [] : [found])
  if (view === undefined) throw noDelivery(id)
  return view
}

async function views({ alerts }: Needs['store'], found: readonly Delivery[]): Promise<DeliveryView[]> {
  const attempts = Map.groupBy(await alerts.deliveries.attempts(found.map(({ id }) => id)), ({ delivery }) => delivery)
  return found.map((delivery) => ({
    id: delivery.id,
    channel: delivery.channel,
    cluster: delivery.cluster,
    about: delivery.about,
    title: delivery.title,
    createdAt: isoOf(delivery.createdAt),
    state: delivery.state,
    nextAt: isoOrNull(delivery.nextAt),
    attempts: (attempts.get(delivery.id) ?? []).map(attemptView),
  }))
}

const attemptView = ({ attempt, at, outcome, status, detail, tookMs }: DeliveryAttempt) => ({
  attempt,
  at: isoOf(at),
  outcome,
  status: status ?? null,
  detail,
  tookMs,
})

const channelView = ({ id, kind, shown, sealedSecret, changedAt, changedBy }: Channel) => ({
  id,
  kind,
  target: shown,
  signed: sealedSecret !== null,
  changedAt: isoOf(instant(changedAt)),
  changedBy,
})
