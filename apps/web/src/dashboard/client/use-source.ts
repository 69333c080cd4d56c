import { useLocation, useNavigate, useSearchParams } from 'react-router'

import { useUrlState } from '../address/url-state.ts'
import { chosenCluster, type Cluster } from './sources.ts'
import { useAnswer } from './use-answer.ts'

/** Where all clusters are looked at together. */
const ALL_PATH = '/clusters'

type Source = {
  readonly clusters: readonly Cluster[]
  /** The one that is looked at, also while the screen shows all of them. */
  readonly chosen: Cluster | undefined
  readonly isAll: boolean
  /** Shows one cluster: on the screen that is open, or on the summary where that one is of all clusters. */
  readonly chooseOne: (id: string) => void
  /** Undefined with fewer than two real clusters: there is nothing to add up. */
  readonly chooseAll: (() => void) | undefined
}

/** Whose figures are shown, and how that is changed. */
export function useSource(): Source {
  const { cluster: wanted, choose } = useUrlState()
  const clusters = useAnswer('clustersList', {}).data?.clusters
  const { pathname } = useLocation()
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const isAll = pathname === ALL_PATH
  const chooseOne = (cluster: string): void => {
    if (!isAll) return choose({ cluster })
    const kept = new URLSearchParams(search)
    kept.set('cluster', cluster)
    void navigate({ pathname: '/', search: String(kept) })
  }
  const several = (clusters ?? []).filter(({ kind }) => kind === 'cluster').length > 1
  return {
    clusters: clusters ?? [],
    chosen: chosenCluster(clusters, wanted),
    isAll,
    chooseOne,
    chooseAll: several ? () => void navigate({ pathname: ALL_PATH, search: String(search) }) : undefined,
  }
}
