import { grouped, plural } from '@septet/domain/words'
import { useState } from 'react'

import type { Answer } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { legendOf } from '../../ui/legend-of.ts'
import { Panel } from '../../ui/Panel.tsx'
import { SliceLegend } from '../../ui/SliceLegend.tsx'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { PanelEmpty } from '../panel/PanelEmpty.tsx'
import { PartitionHead, PartitionRow } from './PartitionRow.tsx'
import { Bone } from '../../ui/Bone.tsx'
import { Answered } from '../panel/Answered.tsx'

const FIRST = 8
/** With all of them open; the Partitions screen has the others. */
const MOST = 200

/** GPUs beside each other; the same for every node, so that one memory slice is as wide in every row. */
const MOST_COLUMNS = 4

/** Every MIG node as one line, its GPUs drawn to scale; a press opens a node. */
export function PartitionPanel() {
  const { cluster } = useUrlState()
  const [all, setAll] = useState(false)
  const answer = useAnswer('partitionsList', { cluster, limit: all ? MOST : FIRST })
  return (
    <Panel
      title="MIG Partition Status"
      aside={answer.data && <SliceLegend {...legendOf(answer.data.nodes.flatMap(({ gpus }) => gpus))} />}
    >
      <Answered answer={answer} waiting={<Bone className="h-130" />}>
        {(data) => <Nodes data={data} all={all} toggle={() => setAll(!all)} />}
      </Answered>
    </Panel>
  )
}

type NodesProps = { readonly data: Answer<'partitionsList'>; readonly all: boolean; readonly toggle: () => void }

function Nodes({ data, all, toggle }: NodesProps) {
  if (data.nodes.length === 0)
    return <PanelEmpty>No MIG GPUs. Whole and shared GPUs are counted in the cards above.</PanelEmpty>
  const columns = Math.min(MOST_COLUMNS, Math.max(...data.nodes.map(({ gpus }) => gpus.length)))
  const shown = all ? data.nodes : data.nodes.slice(0, FIRST)
  const listed = Math.min(data.total, MOST)
  return (
    <>
      <PartitionHead />
      <ul className="divide-y divide-line border-t border-line">
        {shown.map((node) => (
          <PartitionRow key={node.node} node={node} columns={columns} />
        ))}
      </ul>
      <More hidden={listed - shown.length} unlisted={data.total - listed} all={all} toggle={toggle} />
    </>
  )
}

type MoreProps = {
  readonly hidden: number
  /** Nodes that the answer did not carry. */
  readonly unlisted: number
  readonly all: boolean
  readonly toggle: () => void
}

function More({ hidden, unlisted, all, toggle }: MoreProps) {
  const foldable = hidden > 0 || all
  if (!foldable && unlisted === 0) return undefined
  return (
    <div className="-mb-1.5 flex items-center justify-between gap-4 border-t border-line pt-2.5">
      {foldable && (
        <Button look="quiet" className="-ml-2.5" aria-expanded={all} onClick={toggle}>
          {all ? 'Show fewer' : `Show ${plural(hidden, 'more node')}`}
        </Button>
      )}
      {unlisted > 0 && (
        <span className="text-12 text-ink-quiet">{grouped(unlisted)} further nodes are not listed here</span>
      )}
    </div>
  )
}
