import { randomUUID } from 'node:crypto'

import {
  DEFAULT_PATIENCE,
  SHOWN_POLICY,
  shippedPrices,
  type ClusterRecord,
  type SettingStore,
  type Store,
  type WorkReader,
} from '@septet/domain'
import { roleNow } from '@septet/auth/standing'
import { z } from 'zod'

import { Actor, type ActorOptions } from '../act/actor.ts'
import { History } from '../act/history.ts'
import { outlookOn } from '../act/judge-again.ts'
import { openWorkSetbacks } from '../act/work-setbacks.ts'
import { readActPolicy } from '../act-policies.ts'
import { readPolicies } from '../policies.ts'
import type { ActingState, ClusterFacts } from '../facts.ts'
import type { ActingConnection } from './connect-cluster.ts'
import type { PipelineSettings } from './pipeline-messages.ts'

/** How often it is looked whether something is to be done: an approval is begun within a second. */
const EVERY_MS = 400

type Needs = Pick<ActorOptions, 'lead' | 'log' | 'clock' | 'snapshot' | 'samples' | 'changed'> & {
  readonly store: Store
  readonly record: ClusterRecord
  /** Counts what workloads do; undefined where no metrics engine is asked. */
  readonly work: WorkReader | undefined
  readonly auth: PipelineSettings['auth']
}

/** By what runs of a cluster are judged, as it is kept in the store. */
const rulesOf = ({ store, record }: Pick<Needs, 'store' | 'record'>) => ({
  cluster: record.id,
  store: store.actions,
  policy: async () => (await readActPolicy(store.settings, record)).policy,
  plans: async () => ({ ...SHOWN_POLICY, ...(await readPolicies(store.settings)).policies.plans }),
  prices: async () => [...(await store.prices.list()), ...shippedPrices],
})

/** Tells of runs that nobody has approved what would come of that, and looks at the cluster where it may be acted on. */
export function openOutlook(
  acting: ActingConnection | undefined,
  needs: Pick<Needs, 'store' | 'record' | 'clock' | 'snapshot' | 'samples'>,
): ClusterFacts['outlook'] {
  const rules = rulesOf(needs)
  const history = new History({ ...rules, clock: needs.clock })
  return (run) => outlookOn({ ...needs, ...rules, history, hand: acting?.hand }, run)
}

/** Who carries out what was approved for one cluster. */
export const openActor = (acting: ActingConnection, { store, record, auth, work, ...needs }: Needs): Actor =>
  new Actor({
    ...needs,
    ...acting,
    ...rulesOf({ store, record }),
    patience: DEFAULT_PATIENCE,
    roleOf: (approved) => roleNow(approved, { access: store.access, config: auth, now: needs.clock }),
    advised: async () => (await store.recommendations.current(record.id))?.recommendations ?? [],
    workSetbacks: work && openWorkSetbacks({ usage: store.usage, work, log: needs.log }),
    installation: () => installationOf(store.settings),
    everyMs: EVERY_MS,
  })

/** Whether Septet may change a cluster, as far as the actor has found out. */
export function actingState(acting: ActingConnection | undefined, actor: Actor | undefined): ActingState {
  if (acting === undefined) return { kind: 'observe' }
  const holder = actor?.otherHolder()
  return holder === undefined ? { kind: 'ready' } : { kind: 'others', holder }
}

const KEY = 'installation'

/** One id for each database: by it two installations on one cluster know one another. */
async function installationOf(settings: SettingStore): Promise<string> {
  const kept = z.string().safeParse(await settings.get(KEY)).data
  if (kept !== undefined) return kept
  await settings.put(KEY, `septet-${randomUUID()}`)
  // Of two processes that begin at once the later one's stands.
  return z.string().parse(await settings.get(KEY))
}
