import { useState } from 'react'

import { usePlan, type PlanOrder } from '../client/use-computed.ts'
import { RunButton } from '../form/RunButton.tsx'
import { PlanLimits } from './PlanLimits.tsx'
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
