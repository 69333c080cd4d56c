import { plural } from '@septet/domain/words'
import { useState } from 'react'

import type { Answer } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { DraftedPlan } from './DraftedPlan.tsx'
import { targetOf, type DraftGpu, type Targets } from './layout-draft.ts'
import { PlanLimits } from './PlanLimits.tsx'
import { useDraft } from './use-draft.ts'

type Props = {
  readonly node: Answer<'partitionsList'>['nodes'][number]
  readonly cluster: string | undefined
  readonly changed: readonly DraftGpu[]
  readonly targets: Targets
}

/** Hands the target over to the planner and shows what it would take. */
export function PlanRequest({ node, cluster, changed, targets }: Props) {
  const [limits, setLimits] = useState({ mayWait: false, maxDisplaced: 10 })
  const wanted = changed.map((gpu) => {
    const { mig, layout } = targetOf(gpu, targets)
    return {
      gpu: gpu.view.id,
      mig,
      instances: layout.map(({ profile, placement }) => ({ profile, start: placement.start })),
    }
  })
  const draft = useDraft({ cluster, targets: wanted, ...limits })
  const nothing = changed.length === 0
  return (
    <Panel title="Plan">
      <div className="grid gap-4">
        <p className="max-w-3xl text-13 text-ink-soft">
          The planner tries every step on a copy of the cluster under all guardrails. Drafting changes nothing.
        </p>
        <PlanLimits {...limits} onChange={setLimits} />
        <div className="flex flex-wrap items-center gap-3">
          <Button
            look={nothing ? 'outline' : 'strong'}
            aria-disabled={nothing || draft.busy}
            onClick={() => {
              if (!nothing) void draft.ask()
            }}
          >
            {draft.busy ? 'Drafting…' : 'Draft plan'}
          </Button>
          <span className="text-12 text-ink-quiet">
            {nothing
              ? `Change the layout of a GPU first: ${node.node} has no changes.`
              : `${plural(changed.length, 'GPU changes', 'GPUs change')} on ${node.node}.`}
          </span>
        </div>
        <DraftedPlan draft={draft} />
      </div>
    </Panel>
  )
}
