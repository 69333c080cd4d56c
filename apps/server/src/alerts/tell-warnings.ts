import { stateOf, type ActionRun, type Store, DAY_MS } from '@septet/domain'

import { keepPath, KEEP_MS, type SealText } from '../keep-link.ts'
import type { AlertMessage } from './alert-message.ts'
import { cardUrl, channelsOf, tellOfRun } from './tell-of-run.ts'

export type WarningNeeds = {
  readonly store: Pick<Store, 'actions' | 'alerts' | 'settings'>
  readonly siteUrl: () => string
  readonly seal: SealText
  readonly now: () => number
}

type Cluster = { readonly id: string; readonly name: string }

/**
 * Tells the channels of the rule about idle work of every owner who is warned on a cluster, once each; true when something
 * may wait to be sent.
 */
export async function tellWarnings(needs: WarningNeeds, cluster: Cluster): Promise<boolean> {
  const { store } = needs
  const warned = await store.actions.list({ cluster: cluster.id, states: ['warned'], limit: 100 })
  if (warned.length === 0) return false
  const channels = await channelsOf(store, 'idle-held')
  for (const run of warned) {
    const content = messageOf(run, cluster, needs)
    if (content !== undefined) await tellOfRun(needs, { channels, content, run, transition: stateOf(run).number })
  }
  return channels.length > 0
}

function messageOf(run: ActionRun, cluster: Cluster, { siteUrl, seal }: WarningNeeds): AlertMessage | undefined {
  const path = keepPath(run, seal)
  const { until, at } = stateOf(run)
  if (path === undefined || until === undefined) return undefined
  const [, namespace = '', , ...name] = run.object.split('/')
  const when = `${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const title = `${namespace}/${name.join('/')} will be stopped on ${when}`
  const url = cardUrl(siteUrl(), run)
  return {
    about: 'firing',
    title,
    cluster: { ...cluster },
    more: 0,
    url,
    alerts: [
      {
        id: run.id,
        kind: 'idle-warning',
        kindName: 'Idle work is about to be stopped',
        severity: 'warning',
        title,
        message: run.recommendation.message,
        advice: `To keep it for ${KEEP_MS / DAY_MS} days, open this and confirm: ${siteUrl()}${path}`,
        object: run.object,
        namespace,
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
