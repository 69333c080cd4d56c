import { useState } from 'react'

import { dayTime } from '../../../ui/time-words.ts'
import { CLASS_WORDS } from '../../acting/action-words.ts'
import { NumberField } from '../../form/NumberField.tsx'
import { withResumed, type ActionClass } from './act-policy.ts'
import { CARRIED_OUT } from './class-words.ts'
import { Fold } from './Fold.tsx'
import { LimitTable } from './LimitTable.tsx'
import { limitsWords } from './policy-facts.ts'
import type { GroupProps } from './PolicyGroups.tsx'

/** How far what is on auto may go, and how a class goes on that a setback has halted. */
export function AutoGroup({ policy, change }: GroupProps) {
  const { auto } = policy
  return (
    <Fold
      title="Auto"
      says={auto.classes.length === 0 ? 'nothing is on auto' : `${limitsWords(auto.budget.hour)} per hour`}
      lead="What Septet approves on its own stays within this budget and the limits. It starts with one node at a time, then 10% of the nodes, then all. One failed or undone change halts its class."
    >
      <LimitTable
        caption="Auto budget"
        scopes={[
          { scope: 'hour', name: 'Auto, per hour' },
          { scope: 'day', name: 'Auto, per day' },
        ]}
        limits={auto.budget}
        change={(budget) => change({ auto: { ...auto, budget } })}
      />
      <NumberField
        label="Successes in a row before widening"
        name="keptToAdvance"
        unit="actions"
        min={1}
        max={100}
        defaultValue={auto.keptToAdvance}
        onValue={(kept) => !Number.isNaN(kept) && change({ auto: { ...auto, keptToAdvance: kept } })}
      />
      <fieldset className="grid min-w-0 gap-1.5 text-13">
        <legend className="mb-1.5 font-medium">Resume after a setback</legend>
        {CARRIED_OUT.map((kind) => (
          <Resume
            key={kind}
            kind={kind}
            before={auto.resumedAt[kind]}
            put={(at) => change({ auto: withResumed(policy, kind, at).auto })}
          />
        ))}
        <p className="text-12 text-ink-soft">
          A class that failed or was halted waits for a person. Check it and save to resume; earlier failures no longer
          count.
        </p>
      </fieldset>
    </Fold>
  )
}

type ResumeProps = {
  readonly kind: ActionClass
  readonly before: string | undefined
  readonly put: (at: string | undefined) => void
}

function Resume({ kind, before, put }: ResumeProps) {
  // What held when the form was opened, so that a check that is taken back leaves nothing changed.
  const [was] = useState(before)
  return (
    <label className="flex items-center gap-2">
      <input
        type="checkbox"
        checked={before !== was}
        onChange={({ target }) => put(target.checked ? new Date().toISOString() : was)}
        className="size-4 accent-(--ink)"
      />
      {CLASS_WORDS[kind]}
      {was !== undefined && <span className="text-12 text-ink-soft">resumed {dayTime(was)}</span>}
    </label>
  )
}
