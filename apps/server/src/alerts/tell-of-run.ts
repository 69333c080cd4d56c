import { instant, type ActionRun, type AlertKind, type Store } from '@septet/domain'

import { readAlertRules, readChannels } from '../alert-settings.ts'
import { newDelivery } from './alert-engine.ts'
import type { AlertMessage } from './alert-message.ts'

export type TellNeeds = {
  readonly store: Pick<Store, 'alerts' | 'settings'>
  readonly now: () => number
}

/** The channels of a rule that are still there. Throws what the store throws. */
export async function channelsOf({ settings }: Pick<Store, 'settings'>, rule: AlertKind): Promise<readonly string[]> {
  const [rules, known] = await Promise.all([readAlertRules(settings), readChannels(settings)])
  return rules[rule].channels.filter((id) => known.some((channel) => channel.id === id))
}

/** Tells channels what one transition of a run says. The same has the same id, so that nobody is told twice. */
export async function tellOfRun(
  { store, now }: TellNeeds,
  { channels, content, run, transition }: Told,
): Promise<void> {
  for (const channel of channels) {
    const made = { now: instant(now()), cluster: run.cluster, title: content.title, content }
    const delivery = newDelivery({ channel, about: 'firing', alerts: [] }, made)
    await store.alerts.deliveries.add({ ...delivery, id: `msg_${run.id}_${transition}_${channel}` })
  }
}

type Told = {
  readonly channels: readonly string[]
  readonly content: AlertMessage
  readonly run: ActionRun
  /** The number of the transition. */
  readonly transition: number
}

/** Where the card of an action is. */
export const cardUrl = (siteUrl: string, { cluster, id }: Pick<ActionRun, 'cluster' | 'id'>): string =>
  `${siteUrl}/dashboard/actions?cluster=${encodeURIComponent(cluster)}&action=${encodeURIComponent(id)}`
