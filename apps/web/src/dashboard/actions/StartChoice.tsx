import { grouped } from '@septet/domain/words'
import type { Scenario } from '@septet/domain'

import type { Answer } from '../../api.ts'
import type { ReactNode } from 'react'
import { Panel } from '../../ui/Panel.tsx'
import { windowWords } from '../../ui/time-words.ts'
import { Segmented } from '../form/Segmented.tsx'

type Props = {
  readonly data: Answer<'scenariosInput'>
  readonly scenario: Scenario
  readonly change: (next: Partial<Scenario>) => void
}

/** Which work is taken, at which size, and where it may run. */
export function StartChoice({ data, scenario, change }: Props) {
  const { pods, window, notes } = data
  return (
    <Panel title="The work">
      <div className="grid gap-4">
        <Segmented
          label="Which work"
          value={scenario.from}
          options={[
            { value: 'week', label: 'Replay last week' },
            { value: 'now', label: 'Current workloads' },
          ]}
          onChange={(from) => change({ from })}
        />
        <p className="text-13">
          <span className="font-mono">{grouped(pods)}</span> pods
          {scenario.from === 'week' && window !== null && (
            <span className="text-ink-soft">, {windowWords(window)}</span>
          )}
        </p>
        <ul className="grid list-disc gap-1 pl-4 text-12 text-ink-soft">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
        <Choice name="Sizes">
          <Segmented
            label="Sizes"
            value={scenario.sizes}
            options={[
              { value: 'held', label: 'As requested' },
              { value: 'fit', label: 'Right-sized by measured peak' },
            ]}
            onChange={(sizes) => change({ sizes })}
          />
        </Choice>
        <Choice name="GPU models">
          <Segmented
            label="GPU models"
            value={scenario.boards}
            options={[
              { value: 'same', label: 'Same as observed' },
              { value: 'any', label: 'Any with enough memory' },
            ]}
            onChange={(boards) => change({ boards })}
          />
        </Choice>
      </div>
    </Panel>
  )
}

const Choice = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="grid gap-1.5">
    <span className="text-13 font-medium">{name}</span>
    {children}
  </div>
)
