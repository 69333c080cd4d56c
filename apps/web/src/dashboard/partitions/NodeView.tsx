import { useMemo, useState } from 'react'

import type { Answer } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { FigureText } from '../../ui/FigureText.tsx'
import { NoticeBox } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SliceLegend } from '../../ui/SliceLegend.tsx'
import { Answered } from '../panel/Answered.tsx'
import { NodeGpus } from '../gpu/NodeGpus.tsx'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { draftGpu } from './layout-draft.ts'
import { LayoutWorkshop } from './LayoutWorkshop.tsx'
import { legendOf } from '../../ui/legend-of.ts'
import { Availability } from '../gpu/Availability.tsx'
import { MigBadges } from './MigBadges.tsx'

type Node = Answer<'partitionsList'>['nodes'][number]
type Props = { readonly name: string; readonly back: () => void }

/** One node: what its GPUs hold now, and what they could hold instead. */
export function NodeView({ name, back }: Props) {
  const { cluster } = useUrlState()
  const answer = useAnswer('partitionsList', { cluster, mig: 'false', node: name, limit: 1 })
  const node = useLastKnown(answer.data?.nodes[0], answer.data?.source.id)
  return (
    <div className="grid gap-4">
      <div>
        <Button look="quiet" className="-ml-2.5" onClick={back}>
          ← All nodes
        </Button>
      </div>
      <Answered answer={answer}>
        {({ nodes, source }) => (
          <>
            {nodes.length === 0 && (
              <NoticeBox tone="warning" action={<Button onClick={back}>All nodes</Button>}>
                <bdi>{name}</bdi> is not among the nodes that you see of <bdi>{source.name}</bdi> now. It may have left
                the cluster, or hold nothing of yours.
                {node !== undefined && ' Below is its last known state.'}
              </NoticeBox>
            )}
            {node !== undefined && <Node node={node} isSample={source.kind === 'sample'} cluster={cluster} />}
          </>
        )}
      </Answered>
    </div>
  )
}

/** The node, or of one that has gone while it is looked at what was last known: a layout in the making is not thrown away. */
function useLastKnown(node: Node | undefined, cluster: string | undefined): Node | undefined {
  const [last, keep] = useState<{ readonly node: Node; readonly cluster: string | undefined }>()
  if (node !== undefined && node !== last?.node) keep({ node, cluster })
  return node ?? (last?.cluster === cluster ? last?.node : undefined)
}

type NodeProps = { readonly node: Node; readonly isSample: boolean; readonly cluster: string | undefined }

function Node({ node, isSample, cluster }: NodeProps) {
  const gpus = useMemo(() => node.gpus.map(draftGpu), [node.gpus])
  return (
    <>
      <Panel title={node.node} aside={<Availability node={node} />}>
        <div className="grid gap-3">
          <MigBadges node={node} />
          <dl className="flex flex-wrap gap-x-8 gap-y-2">
            {NUMBERS.map(({ key, name }) => (
              <div key={key}>
                <dt className="text-12 text-ink-quiet">{name}</dt>
                <dd>
                  <FigureText figure={node[key]} name={`${name} of ${node.node}`} />
                </dd>
              </div>
            ))}
          </dl>
          <SliceLegend {...legendOf(node.gpus)} />
          <div className="-ml-4">
            <NodeGpus node={node} />
          </div>
        </div>
      </Panel>
      {isSample ? (
        <NoticeBox tone="quiet">
          Sample data has no GPUs to lay out. Choose the demo cluster or one of yours to edit a layout.
        </NoticeBox>
      ) : (
        <LayoutWorkshop node={node} gpus={gpus} cluster={cluster} />
      )}
    </>
  )
}

const NUMBERS = [
  { key: 'coverage', name: 'Slice coverage' },
  { key: 'allocation', name: 'Slice allocation' },
  { key: 'utilization', name: 'Busy, 1 h' },
  { key: 'fragmentation', name: 'Fragmentation' },
] as const
