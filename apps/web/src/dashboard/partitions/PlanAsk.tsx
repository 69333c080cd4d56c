import { useId, useState } from 'react'

import { type PlanOrder, usePlan } from '../client/use-computed.ts'
import { RunButton } from '../form/RunButton.tsx'
import { PlanResult } from './PlanResult.tsx'

type Props = {
  /** Undefined: there is nothing to ask for yet, as the note says. */
  readonly goal: PlanOrder['goal'] | undefined
  readonly cluster: string | undefined
  /** On the button. */
  readonly label: string
  readonly note: string
}

/** What a plan may do to running pods, the button that has it made, how far it is, and what comes of it. */
export function PlanAsk({ goal, cluster, label, note }: Props) {
  const [limits, setLimits] = useState({ mayWait: false, maxDisplaced: 10 })
  const planning = usePlan()
  const order = goal && { ...(cluster !== undefined && { cluster }), goal, ...limits }
  return (
    <div className="grid gap-4">
      <PlanLimits {...limits} onChange={setLimits} />
      <div className="flex flex-wrap items-center gap-3">
        <RunButton
          running={planning}
          start={order && (() => planning.start(order))}
          label={label}
          note={note}
          words={WORDS}
        />
      </div>
      <PlanResult planning={planning} order={order} />
    </div>
  )
}

const WORDS = { of: 'parts of the search', before: 'planning', name: 'Search' }

type Limits = { readonly mayWait: boolean; readonly maxDisplaced: number }
type PlanLimitsProps = Limits & { readonly onChange: (limits: Limits) => void }

/** What the plan is allowed to do to running pods. */
function PlanLimits({ mayWait, maxDisplaced, onChange }: PlanLimitsProps) {
  const most = useId()
  return (
    <fieldset className="flex flex-wrap items-center gap-x-6 gap-y-2 text-13">
      <legend className="sr-only">Plan limits</legend>
      <span className="flex items-center gap-2">
        <label htmlFor={most} className="text-ink-soft">
          Max pods displaced
        </label>
        <input
          id={most}
          type="number"
          min={0}
          max={200}
          value={maxDisplaced}
          onChange={({ target }) =>
            onChange({ mayWait, maxDisplaced: Math.min(200, Math.max(0, Math.round(Number(target.value)) || 0)) })
          }
          className="h-8 w-18 rounded-control border border-line bg-surface px-2 font-mono text-16 hover:border-line-strong sm:text-13"
        />
      </span>
      <label className="flex min-h-8 items-center gap-2 text-ink-soft">
        <input
          type="checkbox"
          checked={mayWait}
          onChange={({ target }) => onChange({ mayWait: target.checked, maxDisplaced })}
          className="size-4 accent-(--ink)"
        />
        Displaced pods may wait in the queue where no room is reserved for them
      </label>
    </fieldset>
  )
}
