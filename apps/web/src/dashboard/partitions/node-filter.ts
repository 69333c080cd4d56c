import type { Answer } from '../../api.ts'
import { useUrlChoice, useUrlState } from '../address/url-state.ts'

type NodeState = Answer<'partitionsList'>['nodes'][number]['states'][number]

/** What a state of a node is called where nodes are narrowed to it. */
export const NODE_STATE_WORDS = {
  free: 'something free',
  'none-free': 'nothing free',
  changing: 'MIG change pending',
  failed: 'MIG change failed',
  stranded: 'compute slices stranded',
} satisfies Record<NodeState, string>

export type NodeFilter = {
  readonly search: string | undefined
  readonly model: string | undefined
  readonly pool: string | undefined
  readonly state: string | undefined
  /** Also nodes without MIG. */
  readonly all: boolean
}

/** Which nodes are listed; the address keeps it. */
export function useNodeFilter() {
  const { cluster } = useUrlState()
  const [search, setSearch] = useUrlChoice('q')
  const [model, setModel] = useUrlChoice('board')
  const [pool, setPool] = useUrlChoice('pool')
  const [state, setState] = useUrlChoice('state')
  const [gpus, setGpus] = useUrlChoice('gpus')
  const known = state !== undefined && Object.hasOwn(NODE_STATE_WORDS, state) ? state : undefined
  const filter: NodeFilter = { search, model, pool, state: known, all: gpus === 'all' }
  return { cluster, filter, setSearch, setModel, setPool, setState, setGpus }
}

/** The filter as the server asks for it. */
export const filterInput = (cluster: string | undefined, { search, model, pool, state, all }: NodeFilter) => ({
  cluster,
  search,
  model,
  pool,
  state,
  mig: all ? 'false' : 'true',
})
