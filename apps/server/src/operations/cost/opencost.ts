import { Refusal } from '@septet/contract'
import { compareOpenCost, type OpenCostComparison, type SettingStore, type Store } from '@septet/domain'
import { z } from 'zod'

import { needAnalysis, notRead } from '../answering/source.ts'
import type { ClusterService } from '../clusters/cluster-service.ts'
import type { AnswersOf } from '../answering/answering.ts'

type Needs = { readonly store: Pick<Store, 'settings'>; readonly clusters: Pick<ClusterService, 'openCost'> }

/** Our figures beside those of OpenCost. */
export const openCostAnswers = ({ store, clusters }: Needs): AnswersOf<'openCost'> => ({
  /** Our figures of a window beside OpenCost's; nothing to compare where nobody has said where it answers. */
  async openCostCompare(facts, { range }) {
    const address = (await addressesIn(store.settings))[facts.record.id]
    const snapshot = facts.picture()
    if (snapshot === undefined) throw notRead(facts)
    const { analysis, answered } = await needAnalysis(facts, range)
    if (address === undefined) return { ...answered, address: null, nodes: [], namespaces: [] }
    const figures = await clusters.openCost(address, analysis.window)
    const { nodes, namespaces } = compareOpenCost({ figures, cost: analysis.cost, snapshot })
    return {
      ...answered,
      address,
      nodes: nodes.map(({ theirGpuCost = null, difference = null, ...row }) => ({
        ...beside(row),
        theirGpuCost,
        difference,
      })),
      namespaces: namespaces.map(beside),
    }
  },
  /** Says where the OpenCost of a cluster answers, or that there is none. */
  async openCostPut({ id, address }, { seen }) {
    if (!seen.clusters().some(({ record }) => record.id === id)) {
      throw new Refusal('unknown-cluster', `There is no cluster "${id}".`, 'List the clusters to see their ids.')
    }
    const { [id]: _, ...others } = await addressesIn(store.settings)
    await store.settings.put(KEY, address === null ? others : { ...others, [id]: address })
    return { address }
  },
})

type Row = OpenCostComparison['namespaces'][number]

const beside = ({ name, ours, theirs, because }: Row) => ({
  name,
  ours: side(ours),
  theirs: side(theirs),
  because: [...because],
})
const side = ({ gpuHours, cost }: Row['ours']) => ({ gpuHours: gpuHours ?? null, cost: cost ?? null })

const KEY = 'opencost'
const Addresses = z.record(z.string(), z.string())
const addressesIn = async (settings: SettingStore): Promise<z.infer<typeof Addresses>> =>
  Addresses.parse((await settings.get(KEY)) ?? {})
