import { textOf } from '@septet/contract/says'

import type { Answer } from '../../api.ts'
import { Bone } from '../../ui/Bone.tsx'
import { FigureText } from '../../ui/FigureText.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { To } from '../address/To.tsx'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { Answered } from '../panel/Answered.tsx'
import { PanelEmpty } from '../panel/PanelEmpty.tsx'
import { WaitCauses, waitNote } from '../words/WaitCauses.tsx'

type Waits = Answer<'queueWaits'>

/** Causes of which something can be done come first on the Workloads screen, too: these say most of it. */
const SHOWN = 4

/** What work waited for, what that capacity would have cost, and what would end it. */
export function WaitsPanel() {
  const { cluster, range } = useUrlState()
  const answer = useAnswer('queueWaits', { cluster, range, limit: 1 })
  return (
    <Panel
      title="Cost of waiting"
      aside={answer.data && answer.data.causes.length > 0 && <Whole waits={answer.data} />}
    >
      <Answered answer={answer} waiting={<Bone className="h-60" />}>
        {(waits) =>
          waits.causes.length === 0 ? (
            <PanelEmpty>{textOf(waits.says, /^causes$/u)}</PanelEmpty>
          ) : (
            <Known waits={waits} />
          )
        }
      </Answered>
    </Panel>
  )
}

const Whole = ({ waits: { hours, cost } }: { readonly waits: Waits }) => (
  <span className="flex items-baseline gap-3">
    <FigureText figure={hours} name="GPU-hours waited" />
    <FigureText figure={cost} name="Value of GPU time waited for" unknown="no price" />
  </span>
)

function Known({ waits }: { readonly waits: Waits }) {
  const { causes } = waits
  return (
    <>
      <WaitCauses causes={causes.slice(0, SHOWN)} />
      <div className="mt-2.5 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="max-w-3xl min-w-0 text-12 text-ink-quiet">{waitNote(waits)}</p>
        <To path="/workloads" more={{ view: 'waiting' }} look="tool">
          {causes.length > SHOWN ? `All ${causes.length} causes, by workload` : 'By workload'}
        </To>
      </div>
    </>
  )
}
