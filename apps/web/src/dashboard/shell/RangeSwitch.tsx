import { ToggleGroup } from 'radix-ui'

import { Hint } from '../../ui/Hint.tsx'
import { chosenCluster } from '../sources.ts'
import { isRange, RANGE_WORDS, useUrlState } from '../url-state.ts'
import { useAnswer } from '../use-answer.ts'

/** How far back the figures reach. */
export function RangeSwitch() {
  const { cluster, range, choose } = useUrlState()
  const { data } = useAnswer('clustersList', {})
  if (chosenCluster(data?.clusters, cluster)?.kind === 'sample') return <FixedRange />
  return (
    <ToggleGroup.Root
      type="single"
      aria-label="Time range"
      value={range}
      onValueChange={(next) => {
        if (isRange(next)) choose({ range: next })
      }}
      className="flex rounded-control border border-line bg-surface p-0.5"
    >
      {Object.entries(RANGE_WORDS).map(([value, words]) => (
        <ToggleGroup.Item
          key={value}
          value={value}
          aria-label={words}
          title={words}
          className="min-h-6.5 min-w-7 rounded-[4px] px-1.5 sm:px-2.5 font-mono text-12 text-ink-soft transition-colors hover:text-ink data-[state=on]:bg-sunken data-[state=on]:font-medium data-[state=on]:text-ink"
        >
          {value}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}

const FixedRange = () => (
  <Hint content="Sample data is a fixed week and month. Choose a cluster to look back over a range of your own.">
    <button
      type="button"
      aria-disabled="true"
      className="min-h-8 cursor-default rounded-control border border-line px-2.5 text-13 text-ink-quiet max-sm:hidden"
    >
      A fixed week
    </button>
  </Hint>
)
