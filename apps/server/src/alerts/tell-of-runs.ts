import {
  DAY_MS,
  instant,
  shortfallOf,
  stateOf,
  type ActionRun,
  type AlertKind,
  type RunState,
  type Store,
} from '@septet/domain'
import { nameOfWorkload } from '@septet/domain/words'

import { readAlertRules, readChannels } from '../alert-settings.ts'
import { KEEP_MS, keepPath, type SealText } from '../keep-link.ts'
import { newDelivery } from './alert-engine.ts'
import type { AlertMessage } from './alert-message.ts'

export type TellNeeds = {
  readonly store: Pick<Store, 'actions' | 'alerts' | 'settings'>
  readonly siteUrl: () => string
  readonly seal: SealText
  readonly now: () => number
}

type Cluster = { readonly id: string; readonly name: string }
type Told = Pick<AlertMessage['alerts'][number], 'kind' | 'kindName' | 'title' | 'message' | 'advice' | 'namespace'>
/** What a run says now, by which of its transitions and since when. */
type Said = { readonly title: string; readonly number: number; readonly at: number; readonly told: Told }
type Teller = {
  /** Runs in this state may have something to say, to the channels of this rule. */
  readonly state: RunState
  readonly rule: AlertKind
  readonly say: (run: ActionRun, needs: TellNeeds) => Said | undefined
}

/** Owners are told that idle work is about to be stopped; who waits for GPUs, what an appointment lacks while there is time to act. */
const TELLERS: readonly Teller[] = [
  { state: 'warned', rule: 'idle-held', say: warningOf },
  { state: 'applying', rule: 'xid', say: shortOf },
]

/**
 * Tells channels what the runs of a cluster have to say to people, once for each transition that says it; true when something
 * may wait to be sent. Throws what the store throws.
 */
export async function tellOfRuns(needs: TellNeeds, cluster: Cluster): Promise<boolean> {
  const told = await Promise.all(TELLERS.map((teller) => tellAll(teller, needs, cluster)))
  return told.includes(true)
}

async function tellAll({ state, rule, say }: Teller, needs: TellNeeds, cluster: Cluster): Promise<boolean> {
  const { store, now } = needs
  const runs = await store.actions.list({ cluster: cluster.id, states: [state], limit: 100 })
  const all = runs.flatMap((run) => {
    const said = say(run, needs)
    return said === undefined ? [] : [{ run, said }]
  })
  if (all.length === 0) return false
  const channels = await channelsOf(store, rule)
  for (const { run, said } of all) {
    const content = messageOf(run, said, { cluster, siteUrl: needs.siteUrl() })
    const made = { now: instant(now()), cluster: run.cluster, title: content.title, content }
    for (const channel of channels) {
      const delivery = newDelivery({ channel, about: 'firing', alerts: [] }, made)
      // The same has the same id, so that nobody is told twice.
      await store.alerts.deliveries.add({ ...delivery, id: `msg_${run.id}_${said.number}_${channel}` })
    }
  }
  return channels.length > 0
}

/** The channels of a rule that are still there. */
async function channelsOf({ settings }: Pick<Store, 'settings'>, rule: AlertKind): Promise<readonly string[]> {
  const [rules, known] = await Promise.all([readAlertRules(settings), readChannels(settings)])
  return rules[rule].channels.filter((id) => known.some((channel) => channel.id === id))
}

function messageOf(
  { id, object }: ActionRun,
  { title, at, told }: Said,
  { cluster, siteUrl }: { readonly cluster: Cluster; readonly siteUrl: string },
): AlertMessage {
  // Where the card of the action is.
  const url = `${siteUrl}/dashboard/actions?cluster=${encodeURIComponent(cluster.id)}&action=${encodeURIComponent(id)}`
  const about = { value: null, threshold: null, unit: '', coverage: null, since: new Date(at).toISOString() }
  return {
    about: 'firing',
    title,
    cluster: { id: cluster.id, name: cluster.name },
    more: 0,
    url,
    alerts: [{ id, severity: 'warning', ...told, object, ...about, resolvedAt: null, url }],
  }
}

function warningOf(run: ActionRun, { siteUrl, seal }: TellNeeds): Said | undefined {
  const path = keepPath(run, seal)
  const { number, until, at } = stateOf(run)
  if (path === undefined || until === undefined) return undefined
  const [, namespace = ''] = run.object.split('/')
  const when = `${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const title = `${nameOfWorkload(run.object.slice('workload/'.length))} will be stopped on ${when}`
  const told = {
    kind: 'idle-warning',
    kindName: 'Idle work is about to be stopped',
    title,
    message: run.transitions[0].because,
    advice: `To keep it for ${KEEP_MS / DAY_MS} days, open this and confirm: ${siteUrl()}${path}`,
    namespace,
  }
  return { title, number, at, told }
}

function shortOf(run: ActionRun): Said | undefined {
  const short = shortfallOf(run)
  if (short === undefined) return undefined
  const told = {
    kind: 'appointment-short',
    kindName: 'An appointment is short of GPUs',
    title: run.title,
    message: short.because,
    advice: 'Restore what is missing, evict the blocking pods by hand, or undo the appointment and request other GPUs.',
    namespace: null,
  }
  return { title: `Short of GPUs: ${run.title}`, number: short.number, at: short.at, told }
}
