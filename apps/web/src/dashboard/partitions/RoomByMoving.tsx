import { useState } from 'react'

import { Button } from '../../ui/Button.tsx'
import { DraftedPlan } from './DraftedPlan.tsx'
import { PlanLimits } from './PlanLimits.tsx'
import { useDraft } from './use-draft.ts'

type Props = { readonly profile: string; readonly model: string; readonly cluster: string | undefined }

/** Asks the planner for the fewest moves that make room for one more instance. */
export function RoomByMoving({ profile, model, cluster }: Props) {
  const [limits, setLimits] = useState({ mayWait: false, maxDisplaced: 5 })
  const draft = useDraft({ cluster, room: { profile, model }, ...limits })
  return (
    <section className="grid gap-3 border-t border-line pt-4">
      <h3 className="text-13 font-semibold">Make room by moving pods</h3>
      <p className="max-w-3xl text-13 text-ink-soft">
        The planner looks for the fewest moves that make room for one more {profile} on {model}, with capacity elsewhere
        for every pod that moves. Drafting changes nothing.
      </p>
      <PlanLimits {...limits} onChange={setLimits} />
      <div>
        <Button aria-disabled={draft.busy} onClick={() => void draft.ask()}>
          {draft.busy ? 'Looking…' : 'Find the fewest moves'}
        </Button>
      </div>
      <DraftedPlan draft={draft} />
    </section>
  )
}
