import { ALERT_KIND_WORDS, type Alert, type Notice } from '@septet/domain'
import { z } from 'zod'

import { alertFacts } from '../alert-facts.ts'

/** More alerts than this in one message are counted, not told one by one. */
const MOST_TOLD = 20

const ToldSchema = z.object({
  id: z.string(),
  kind: z.string(),
  kindName: z.string(),
  severity: z.string(),
  title: z.string(),
  message: z.string(),
  advice: z.string(),
  object: z.string(),
  namespace: z.string().nullable(),
  /** Null where it is about no figure. */
  value: z.number().nullable(),
  threshold: z.number().nullable(),
  unit: z.string(),
  coverage: z.number().nullable(),
  since: z.string(),
  resolvedAt: z.string().nullable(),
  url: z.string(),
})

/** What a delivery says, before a channel puts it into its own form. */
export const AlertMessageSchema = z.object({
  about: z.enum(['firing', 'resolved', 'test']),
  title: z.string(),
  cluster: z.object({ id: z.string(), name: z.string() }),
  alerts: z.array(ToldSchema),
  /** How many there are beyond these. */
  more: z.number(),
  url: z.string(),
})
export type AlertMessage = z.output<typeof AlertMessageSchema>

type Place = { readonly cluster: { readonly id: string; readonly name: string }; readonly siteUrl: string }

/** One message about all of a notice: what, where, since when, figure beside threshold, what to do, where to look. */
export function alertMessage(
  { about, alerts }: Pick<Notice, 'about' | 'alerts'>,
  { cluster, siteUrl }: Place,
): AlertMessage {
  const url = `${siteUrl}/dashboard/alerts?cluster=${encodeURIComponent(cluster.id)}`
  const [first] = alerts
  const verb = about === 'firing' ? 'firing' : 'resolved'
  const title =
    alerts.length === 1 && first !== undefined
      ? `${about === 'firing' ? '' : 'Resolved: '}${first.title}`
      : `${alerts.length} alerts ${verb} in ${cluster.name}`
  const told = alerts.slice(0, MOST_TOLD).map((alert) => toldOf(alert, `${url}&alert=${alert.id}`))
  return { about, title, cluster, alerts: told, more: Math.max(0, alerts.length - MOST_TOLD), url }
}

/** A message that says that it is none. */
export const testMessage = (siteUrl: string): AlertMessage => ({
  about: 'test',
  title: 'Septet can reach this channel',
  cluster: { id: '', name: 'no cluster' },
  alerts: [],
  more: 0,
  url: `${siteUrl}/dashboard/settings/notifications`,
})

const toldOf = (alert: Alert, url: string): z.output<typeof ToldSchema> => ({
  ...alertFacts(alert),
  kindName: ALERT_KIND_WORDS[alert.kind].name,
  url,
})
