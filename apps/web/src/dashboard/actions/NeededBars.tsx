import { plural } from '@septet/domain/words'
import { rankedOutcomes, type ScenarioResult } from '@septet/domain'

import { ChartPanel } from '../chart/ChartPanel.tsx'
import { runName } from './run-words.ts'

/** GPUs that each policy needs so that nobody waits, with the number below which no plan can go. */
export function NeededBars({ result }: { readonly result: ScenarioResult }) {
  const outcomes = rankedOutcomes(result.outcomes)
  const most = Math.max(1, ...outcomes.flatMap((of) => [of.needed ?? of.usedPeak, of.bound ?? 0, of.gpus]))
  const fleet = outcomes[0]?.gpus ?? 0
  const percent = (gpus: number): string => `${(gpus / most) * 100}%`
  return (
    <ChartPanel
      title="GPUs needed for zero wait"
      table={{
        columns: ['Policy', 'GPUs needed', 'Proven minimum', 'In the fleet'],
        rows: outcomes.map(({ run, needed, bound, gpus }) => [
          runName(run),
          needed === null ? '' : String(needed),
          bound === null ? '' : String(bound),
          String(gpus),
        ]),
      }}
    >
      <ul className="grid gap-2.5">
        {outcomes.map(({ run, needed, bound }) => (
          <li key={run} className="grid items-center gap-x-4 gap-y-1 sm:grid-cols-[14rem_minmax(0,1fr)_4rem]">
            <span className="text-13">{runName(run)}</span>
            <span aria-hidden className="relative h-4 rounded-[3px] bg-sunken">
              {needed !== null && (
                <span className="absolute inset-y-0 left-0 rounded-[3px] bg-busy" style={{ width: percent(needed) }} />
              )}
              {bound !== null && (
                <span
                  className="absolute -inset-y-1 w-0.5 bg-ink ring-1 ring-surface"
                  style={{ left: `calc(${percent(bound)} - 1px)` }}
                />
              )}
            </span>
            <span className="font-mono text-13 sm:text-right">{needed ?? 'not found'}</span>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-12 text-ink-soft">
        The mark is the proven minimum at the busiest moment. The fleet has {plural(fleet, 'GPU')}.
      </p>
    </ChartPanel>
  )
}
