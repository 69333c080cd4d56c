import { isNotFound, type Answer } from '../../api.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Answered } from '../panel/Answered.tsx'
import { Gone } from '../panel/Gone.tsx'
import { SidePanel } from '../panel/SidePanel.tsx'
import { Bone } from '../../ui/Bone.tsx'
import { useAnswer } from '../client/use-answer.ts'
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
      {data === undefined && isNotFound(answer.error) ? (
        <Gone what="This GPU" back="Back to the fleet" onClose={onClose}>
          The node left the cluster, the GPU is no longer reported, or you do not have access to its cluster or
          namespace. The map shows the current fleet.
        </Gone>
      ) : (
        <Answered answer={answer}>
          {(shown) =>
            shown.gpu.id === id ? <Known data={shown} gone={isNotFound(answer.error)} /> : <Bone className="h-40" />
          }
        </Answered>
      )}
    </SidePanel>
  )
}

const Known = ({ data, gone }: { readonly data: Answer<'fleetGpu'>; readonly gone: boolean }) => (
  <>
    {gone && (
      <Notice tone="warning">This GPU left the cluster or is no longer reported. Below is its last known state.</Notice>
    )}
    <GpuFacts data={data} />
  </>
)
