import { plural } from '@septet/domain/words'

import type { Answer } from '../../api.ts'
import { Panel } from '../../ui/Panel.tsx'
import { targetOf, type DraftGpu, type Targets } from './layout-draft.ts'
import { PlanAsk } from './PlanAsk.tsx'

type Props = {
  readonly node: Answer<'partitionsList'>['nodes'][number]
  readonly cluster: string | undefined
  readonly changed: readonly DraftGpu[]
  readonly targets: Targets
}

/** Hands the target over to the planner and shows what it would take. */
export function PlanRequest({ node, cluster, changed, targets }: Props) {
  const wanted = changed.map((gpu) => {
    const { mig, layout } = targetOf(gpu, targets)
    return {
      gpu: gpu.view.id,
      mig,
      instances: layout.map(({ profile, placement }) => ({ profile, start: placement.start })),
    }
  })
  const nothing = changed.length === 0
  return (
    <Panel title="Plan">
      <div className="grid gap-4">
        <p className="max-w-3xl text-13 text-ink-soft">
          The planner tries every step on a copy of the cluster under all guardrails. Drafting changes nothing.
        </p>
        <PlanAsk
          goal={nothing ? undefined : { kind: 'layout', targets: wanted }}
          cluster={cluster}
          label="Draft plan"
          note={
            nothing
              ? `Change the layout of a GPU first: ${node.node} has no changes.`
              : `${plural(changed.length, 'GPU changes', 'GPUs change')} on ${node.node}.`
          }
        />
      </div>
    </Panel>
  )
}
