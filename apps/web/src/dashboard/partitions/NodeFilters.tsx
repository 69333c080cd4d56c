import { plural } from '@septet/domain/words'
import type { Answer } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { isolated } from '../../ui/isolated.ts'
import { ChoiceField } from '../form/ChoiceField.tsx'
import { SearchField } from '../form/SearchField.tsx'
import { Segmented } from '../form/Segmented.tsx'
import { NODE_STATE_WORDS, type NodeFilter, type useNodeFilter } from './node-filter.ts'

type Facets = Answer<'partitionsList'>['facets']
type Props = Omit<ReturnType<typeof useNodeFilter>, 'cluster' | 'filter'> & {
  readonly filter: NodeFilter
  readonly facets: Facets
  readonly total: number
}

/** Narrows the nodes down by name or holder, board, pool and state, each with how many nodes there are. */
export function NodeFilters({ filter, facets, total, setSearch, setModel, setPool, setState, setGpus }: Props) {
  const clear = (): void => {
    for (const set of [setSearch, setModel, setPool, setState]) set(undefined, { replace: true })
  }
  const isNarrowed = [filter.search, filter.model, filter.pool, filter.state].some((each) => each !== undefined)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchField
        label="Node or workload"
        value={filter.search ?? ''}
        onChange={(text) => setSearch(text, { replace: true })}
      />
      <ChoiceField
        inline
        label="Board"
        options={optionsOf(facets.models)}
        value={filter.model ?? ''}
        onChange={(value) => setModel(value)}
      />
      {facets.pools.length > 0 && (
        <ChoiceField
          inline
          label="Pool"
          options={optionsOf(facets.pools)}
          value={filter.pool ?? ''}
          onChange={(value) => setPool(value)}
        />
      )}
      {facets.states.length > 0 && (
        <ChoiceField
          inline
          label="State"
          options={optionsOf(facets.states, stateWords)}
          value={filter.state ?? ''}
          onChange={(value) => setState(value)}
        />
      )}
      <Segmented
        label="Which GPUs"
        options={[
          { value: 'mig', label: 'MIG' },
          { value: 'all', label: 'All GPUs' },
        ]}
        value={filter.all ? 'all' : 'mig'}
        onChange={(value) => setGpus(value === 'all' ? 'all' : undefined)}
      />
      <output className="text-12 text-ink-quiet">{plural(total, 'node')}</output>
      {isNarrowed && (
        <Button look="quiet" onClick={clear}>
          Clear filters
        </Button>
      )}
    </div>
  )
}

const stateWords = (name: string): string => Object.entries(NODE_STATE_WORDS).find(([key]) => key === name)?.[1] ?? name

const optionsOf = (facet: Facets['models'], words = (name: string) => name) => [
  { value: '', label: 'any' },
  ...facet.map(({ name, nodes }) => ({ value: name, label: `${isolated(words(name))} (${nodes})` })),
]
