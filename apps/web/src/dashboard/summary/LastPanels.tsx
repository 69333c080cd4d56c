import type { Answer } from '../../api.ts'
import { ActiveWorkloadsPanel } from './ActiveWorkloadsPanel.tsx'
import { Bone } from '../../ui/Bone.tsx'
import { To } from '../address/To.tsx'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { WaitCauses, WaitsPart } from '../panel/WaitCauses.tsx'
import { PartitionPanel } from './PartitionPanel.tsx'
import { RecommendationsPart } from './RecommendationPanel.tsx'

type Props = { readonly active: Answer<'summaryGet'>['workloads']['active'] | undefined }

/** The end of the summary, which is loaded after what is seen first. */
export const LastPanels = ({ active }: Props) => (
  <>
    <div className="grid grid-cols-1 gap-4 xl:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
      <PartitionPanel />
      <RecommendationsPart />
    </div>
    <ActiveWorkloadsPanel active={active} />
    <WaitsPanel />
  </>
)

/** Causes of which something can be done come first on the Workloads screen, too: these say most of it. */
const SHOWN = 4

/** What work waited for, what that capacity would have cost, and what would end it. */
function WaitsPanel() {
  const { cluster, range } = useUrlState()
  const answer = useAnswer('queueWaits', { cluster, range, limit: 1 })
  return (
    <WaitsPart answer={answer} waiting={<Bone className="h-60" />}>
      {({ causes }, note) => (
        <>
          <WaitCauses causes={causes.slice(0, SHOWN)} />
          <div className="mt-2.5 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
            <p className="max-w-3xl min-w-0 text-12 text-ink-quiet">{note}</p>
            <To path="/workloads" more={{ view: 'waiting' }} look="tool">
              {causes.length > SHOWN ? `All ${causes.length} causes, by workload` : 'By workload'}
            </To>
          </div>
        </>
      )}
    </WaitsPart>
  )
}
