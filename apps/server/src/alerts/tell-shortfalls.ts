import { shortfallOf, type ActionRun, type Store } from '@septet/domain'

import type { AlertMessage } from './alert-message.ts'
import { cardUrl, channelsOf, tellOfRun, type TellNeeds } from './tell-of-run.ts'

type Needs = TellNeeds & { readonly store: Pick<Store, 'actions'>; readonly siteUrl: () => string }
type Cluster = { readonly id: string; readonly name: string }

/**
 * Tells the channels of the rule about GPU faults what an appointment lacks, once for each time that this has changed: there is
 * time to bring a node back, or to ask for other GPUs. True when something may wait to be sent.
 */
export async function tellShortfalls(needs: Needs, cluster: Cluster): Promise<boolean> {
  const runs = await needs.store.actions.list({ cluster: cluster.id, states: ['applying'], limit: 100 })
  const short = runs.flatMap((run) => {
    const said = shortfallOf(run)
    return said === undefined ? [] : [{ run, said }]
  })
  if (short.length === 0) return false
  const channels = await channelsOf(needs.store, 'xid')
  for (const { run, said } of short) {
    const content = messageOf(run, said, { cluster, url: cardUrl(needs.siteUrl(), run) })
    await tellOfRun(needs, { channels, content, run, transition: said.number })
  }
  return channels.length > 0
}

function messageOf(
  { id, title, object }: ActionRun,
  { because, at }: NonNullable<ReturnType<typeof shortfallOf>>,
  { cluster, url }: { readonly cluster: Cluster; readonly url: string },
): AlertMessage {
  return {
    about: 'firing',
    title: `Short of GPUs: ${title}`,
    cluster: { ...cluster },
    more: 0,
    url,
    alerts: [
      {
        id,
        kind: 'appointment-short',
        kindName: 'An appointment is short of GPUs',
        severity: 'warning',
        title,
        message: because,
        advice:
          'Restore what is missing, evict the blocking pods by hand, or undo the appointment and request other GPUs.',
        object,
        namespace: null,
        value: null,
        threshold: null,
        unit: '',
        coverage: null,
        since: new Date(at).toISOString(),
        resolvedAt: null,
        url,
      },
    ],
  }
}
