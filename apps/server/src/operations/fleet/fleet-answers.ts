import { OPERATIONS } from '@septet/contract'
import type { SettingStore, Store, TenantRule } from '@septet/domain'

import { readTenants } from '../../tenants.ts'
import type { Answering } from '../answering/answering.ts'
import { liveGpu, sampleGpu } from './fleet-gpu.ts'
import { liveFleet, sampleFleet } from './fleet-map.ts'
import { chooseCluster } from '../answering/source.ts'

type FleetNeeds = { readonly store: Store; readonly now: () => number }

/** Every GPU at once, and one of them. */
export const fleetAnswers = (answer: Answering, { store, now }: FleetNeeds) => ({
  fleetMap: answer(OPERATIONS.fleetMap, async ({ cluster, known }, { seen }) => {
    const live = chooseCluster(seen, cluster)
    return live === undefined ? sampleFleet(known) : liveFleet(live, known, await rulesOf(store.settings))
  }),
  fleetGpu: answer(OPERATIONS.fleetGpu, async (input, { seen, caller: { namespaces } }) => {
    const live = chooseCluster(seen, input.cluster)
    if (live === undefined) return sampleGpu(input)
    return liveGpu(live, input, { store, rules: await rulesOf(store.settings), namespaces, now: now() })
  }),
})

/** The map is live: without the database it is still shown, with nobody's tenant. */
async function rulesOf(settings: SettingStore): Promise<readonly TenantRule[]> {
  try {
    return await readTenants(settings)
  } catch (error) {
    if (error instanceof Error && error.name === 'StoreError') return []
    throw error
  }
}
