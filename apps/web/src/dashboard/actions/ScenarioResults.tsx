import { duration, grouped } from '@septet/domain/words'
import type { Scenario, ScenarioResult } from '@septet/domain'

import type { Answer } from '../../api.ts'

import { Panel } from '../../ui/Panel.tsx'
import { NeededBars } from './NeededBars.tsx'
import { OutcomeTable } from './OutcomeTable.tsx'
import { OverTime } from './OverTime.tsx'
import { VerdictLine } from './VerdictLine.tsx'

type Props = {
  readonly result: ScenarioResult
  readonly window: Answer<'scenariosInput'>['window']
  readonly scenario: Scenario
}

/** What would have come of it, way by way, and what all of it takes for granted. */
export function ScenarioResults({ result, window, scenario }: Props) {
  const hasTime = scenario.from === 'week'
  return (
    <>
      <VerdictLine result={result} />
      <NeededBars result={result} />
      <Panel
        title="Side by side"
        aside={<span className="text-12 text-ink-quiet">what would have been, not what will be</span>}
      >
        <OutcomeTable result={result} window={window} hasTime={hasTime} />
      </Panel>
      {hasTime && <OverTime result={result} window={window} />}
      <Panel title="Assumptions">
        <ul className="grid list-disc gap-1 pl-4 text-13 text-ink-soft">
          {result.assumptions.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <p className="mt-3 font-mono text-12 text-ink-quiet wrap-anywhere">
          engine version {result.version}, {grouped(result.jobs)} pods
          {hasTime ? ` over ${duration(result.length)}` : ''}, digest {result.digest}
        </p>
      </Panel>
    </>
  )
}
