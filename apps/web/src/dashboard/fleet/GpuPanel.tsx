import { ProblemError } from '../../api.ts'
import type { Answer } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Answered } from '../settings/Answered.tsx'
import { SidePanel } from '../SidePanel.tsx'
import { Bone } from '../summary/SummarySkeleton.tsx'
import { useAnswer } from '../use-answer.ts'
import { GpuFacts } from './GpuFacts.tsx'

type Props = { readonly cluster: string | undefined; readonly id: string; readonly onClose: () => void }

/** The card of one GPU, as long as the address names it. */
export function GpuPanel({ cluster, id, onClose }: Props) {
  const answer = useAnswer('fleetGpu', { cluster, gpu: id })
  // While another GPU's card comes, the one before it is not shown as if it were this one.
  const data = answer.data?.gpu.id === id ? answer.data : undefined
  return (
    <SidePanel
      lead={data === undefined ? 'GPU' : `${data.gpu.model} on ${data.node.name}`}
      title={data === undefined ? id : `GPU ${data.gpu.index}`}
      onClose={onClose}
    >
      {data === undefined && isGone(answer.error) ? (
        <Gone onClose={onClose} />
      ) : (
        <Answered answer={answer}>
          {(shown) =>
            shown.gpu.id === id ? <Known data={shown} gone={isGone(answer.error)} /> : <Bone className="h-40" />
          }
        </Answered>
      )}
    </SidePanel>
  )
}

const Known = ({ data, gone }: { readonly data: Answer<'fleetGpu'>; readonly gone: boolean }) => (
  <>
    {gone && (
      <Notice tone="warning">
        This GPU has left the cluster, or is no longer reported. What is below is what was last known of it.
      </Notice>
    )}
    <GpuFacts data={data} />
  </>
)

const isGone = (error: Error | null): boolean => error instanceof ProblemError && error.problem.code === 'not-found'

const Gone = ({ onClose }: { readonly onClose: () => void }) => (
  <div role="alert" className="grid justify-items-start gap-3 text-13">
    <p className="font-medium">This GPU is not there</p>
    <p className="text-ink-soft">
      Its node has left the cluster, the GPU is no longer reported, or it is in a cluster or namespace that you do not
      see. The map shows what is there now.
    </p>
    <Button onClick={onClose}>Back to the fleet</Button>
  </div>
)
