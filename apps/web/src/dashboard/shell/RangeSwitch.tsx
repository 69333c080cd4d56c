import { isQuickRange } from '@septet/domain'
import { ToggleGroup } from 'radix-ui'
import { lazy, Suspense, useState } from 'react'

import { Card } from '../../ui/Card.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { ChevronDownIcon } from '../../ui/icons.tsx'
import { RANGE_WORDS, rangeWords } from '../address/range-choice.ts'
import { chosenCluster } from '../client/sources.ts'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'

const RangeMenu = lazy(async () => ({ default: (await import('./RangeMenu.tsx')).RangeMenu }))

/** Over which time the figures are: up to now by a click, of the calendar or between two instants behind "More". */
export function RangeSwitch() {
  const { cluster, over, choose } = useUrlState()
  const { data } = useAnswer('clustersList', {})
  if (chosenCluster(data?.clusters, cluster)?.kind === 'sample') return <FixedRange />
  return (
    <div className="flex max-w-full rounded-control border border-line bg-surface p-0.5">
      <ToggleGroup.Root
        type="single"
        aria-label="Time range"
        value={over.kind === 'quick' ? over.name : ''}
        onValueChange={(next) => {
          if (isQuickRange(next)) choose({ range: next })
        }}
        className="flex"
      >
        {Object.entries(RANGE_WORDS).map(([value, words]) => (
          <ToggleGroup.Item key={value} value={value} aria-label={words} title={words} className={ITEM}>
            {value}
          </ToggleGroup.Item>
        ))}
      </ToggleGroup.Root>
      <MoreRanges />
    </div>
  )
}

const ITEM =
  'min-h-6.5 min-w-7 rounded-[4px] px-1.5 sm:px-2.5 font-mono text-12 text-ink-soft transition-colors hover:text-ink data-[state=on]:bg-sunken data-[state=on]:font-medium data-[state=on]:text-ink'

function MoreRanges() {
  const { over, zone } = useUrlState()
  const [open, setOpen] = useState(false)
  const chosen = over.kind === 'quick' ? undefined : rangeWords(over, zone)
  return (
    <Card
      label="Time ranges"
      focus="first control"
      className="max-h-[min(32rem,var(--radix-popover-content-available-height))] w-80 max-w-[calc(100vw-24px)] overflow-y-auto p-3"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          aria-label={chosen === undefined ? 'More time ranges' : `Time range: ${chosen}. Other time ranges`}
          className={`flex min-h-6.5 min-w-0 items-center gap-1 rounded-[4px] px-1.5 text-12 whitespace-nowrap transition-colors hover:text-ink sm:px-2 ${chosen === undefined ? 'text-ink-soft' : 'bg-sunken font-medium text-ink'}`}
        >
          <span className="truncate">{chosen ?? 'More'}</span>
          <ChevronDownIcon />
        </button>
      }
    >
      <Suspense fallback={<div className="waits h-72 rounded-control bg-sunken" />}>
        <RangeMenu close={() => setOpen(false)} />
      </Suspense>
    </Card>
  )
}

const FixedRange = () => (
  <Hint content="Sample data covers a fixed week and month. Choose a cluster to pick a range.">
    <button
      type="button"
      aria-disabled="true"
      className="min-h-8 cursor-default rounded-control border border-line px-2.5 text-13 text-ink-quiet max-sm:hidden"
    >
      Fixed week
    </button>
  </Hint>
)
