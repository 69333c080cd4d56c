import type { Scenario } from '@septet/domain'

import { Panel } from '../../ui/Panel.tsx'
import { RUN_GROUPS, runChoice, runName } from './run-words.ts'

type Props = { readonly scenario: Scenario; readonly change: (next: Partial<Scenario>) => void }

const MOST = 8

/** Which ways to share and place are compared. */
export function RunChoice({ scenario, change }: Props) {
  const { runs } = scenario
  const toggle = (run: string): void => {
    const next = runs.includes(run) ? runs.filter((one) => one !== run) : [...runs, run]
    const order = RUN_GROUPS.flatMap((group) => group.runs)
    if (next.length > 0 && next.length <= MOST) {
      change({ runs: next.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)) })
    }
  }
  return (
    <Panel
      title="Policies to compare"
      aside={
        <span className="text-12 text-ink-quiet">
          {runs.length} of at most {MOST}
        </span>
      }
    >
      <div className="grid gap-4">
        {RUN_GROUPS.map(({ title, about, runs: offered }) => (
          <fieldset key={title} className="grid gap-1.5">
            <legend className="text-13 font-medium">{title}</legend>
            <p className="text-12 text-ink-soft">{about}</p>
            <div className="flex flex-wrap gap-1.5">
              {offered.map((run) => (
                <label
                  key={run}
                  className="inline-flex min-h-7 cursor-pointer items-center gap-1.5 rounded-control border border-line px-2 text-13 hover:border-line-strong has-checked:border-line-strong has-checked:bg-sunken has-disabled:cursor-not-allowed has-disabled:text-ink-quiet"
                >
                  <input
                    type="checkbox"
                    className="accent-(--ink)"
                    checked={runs.includes(run)}
                    disabled={!runs.includes(run) && runs.length >= MOST}
                    onChange={() => toggle(run)}
                    aria-label={runName(run)}
                  />
                  {runChoice(run)}
                </label>
              ))}
            </div>
          </fieldset>
        ))}
      </div>
    </Panel>
  )
}
