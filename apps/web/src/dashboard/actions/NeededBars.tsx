import { dollars, grouped } from '@septet/domain/words'
import type { ScenarioResult } from '@septet/domain'

import { ChartPanel } from '../chart/ChartPanel.tsx'
import { WAY_WORDS } from './way-words.ts'

/** GPUs on which nobody waits, layout by layout, with what they cost, and the number below which no layout can go. */
export function NeededBars({ result: { outcomes, bound } }: { readonly result: ScenarioResult }) {
  const rows = [
    ...outcomes.map(({ way, needed, costNeeded }) => ({
      name: WAY_WORDS[way],
      gpus: needed,
      cost: costNeeded,
      none: 'not found',
    })),
    { name: 'Proven minimum', gpus: bound?.gpus ?? null, cost: bound?.cost ?? null, none: 'not proven' },
  ]
  const fleet = outcomes[0]?.gpus ?? 0
  const most = Math.max(1, fleet, ...rows.map(({ gpus }) => gpus ?? 0))
  return (
    <ChartPanel
      title="GPUs needed for zero wait"
      table={{
        columns: ['Layout', 'GPUs needed', 'USD a month', 'GPUs in the fleet'],
        rows: rows.map(({ name, gpus, cost }) => [
          name,
          gpus === null ? '' : String(gpus),
          cost === null ? '' : String(Math.round(cost)),
          String(fleet),
        ]),
      }}
    >
      <ul className="grid gap-2.5">
        {rows.map(({ name, gpus, cost, none }, row) => (
          <li key={name} className="grid items-center gap-x-4 gap-y-1 sm:grid-cols-[13rem_minmax(0,1fr)_11rem]">
            <span className="text-13">{name}</span>
            <span aria-hidden className="relative h-4 rounded-[3px] bg-sunken">
              {gpus !== null && (
                <span
                  className={`absolute inset-y-0 left-0 rounded-[3px] ${row < outcomes.length ? 'bg-busy' : 'bg-ink-quiet'}`}
                  style={{ width: `${(gpus / most) * 100}%` }}
                />
              )}
            </span>
            <span className="font-mono text-13 sm:text-right">
              {gpus === null ? none : grouped(gpus)}
              {cost !== null && <span className="text-ink-soft">, {dollars(cost)}/mo</span>}
            </span>
          </li>
        ))}
      </ul>
    </ChartPanel>
  )
}
