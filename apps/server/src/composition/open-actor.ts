import { randomUUID } from 'node:crypto'

import { DEFAULT_PATIENCE, type SettingStore, type Store } from '@septet/domain'
import { z } from 'zod'

import { Actor, type ActorOptions } from '../act/actor.ts'
import type { ActingState } from '../facts.ts'
import type { Acting } from './connect-cluster.ts'

/** How often it is looked whether something is to be done: an approval is begun within a second. */
const EVERY_MS = 400
/** How long a change is watched before it is kept. */
const WATCH_MS = 1_800_000

type Needs = Pick<ActorOptions, 'cluster' | 'log' | 'clock' | 'snapshot' | 'changed'> & { readonly store: Store }

/** Who carries out what was approved for one cluster. */
export const openActor = (acting: Acting, { store, ...needs }: Needs): Actor =>
  new Actor({
    ...needs,
    ...acting,
    store: store.actions,
    patience: DEFAULT_PATIENCE,
    watchMs: async () => WATCH_MS,
    installation: () => installationOf(store.settings),
    everyMs: EVERY_MS,
  })

/** Whether Septet may change a cluster, as far as the actor has found out. */
export function actingState(acting: Acting | undefined, actor: Actor | undefined): ActingState {
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
