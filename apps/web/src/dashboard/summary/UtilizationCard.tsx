import { wholePercent } from '@septet/domain/words'
import type { Answer } from '../../api.ts'
import { figureInWords } from '@septet/contract/figure-words'

import { FigureText } from '../../ui/FigureText.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { StatCard } from './StatCard.tsx'

/** Busy GPU time over ready GPU time, against what the fleet aims at. */
export function UtilizationCard({ utilization }: { readonly utilization: Answer<'summaryGet'>['utilization'] }) {
  const { busy, busyOfAllocated, target, note } = utilization
  return (
    <StatCard
      title="GPU Utilization"
      headline={<FigureText figure={busy} name="GPU utilization" size="headline" />}
      note={
        busy.value === null ? (
          note
        ) : (
          <>
            Target {wholePercent(target)} · <span className="font-medium text-ink">{note}</span>
          </>
        )
      }
    >
      <Meter
        value={busy.value ?? undefined}
        target={target}
        label="GPU utilization"
        words={figureInWords(busy).value}
      />
      <p className="mt-2.5 flex min-h-5 items-baseline justify-between gap-3 text-12 text-ink-soft">
        {busy.quality !== 'sample' && (
          <>
            of held GPUs
            <FigureText figure={busyOfAllocated} name="Busy share of held GPUs" />
          </>
        )}
      </p>
    </StatCard>
  )
}
