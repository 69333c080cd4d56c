import { inCents, partsInCents } from '@septet/contract/in-cents'

import { Bone } from '../../ui/Bone.tsx'
import { SidePanel } from '../panel/SidePanel.tsx'
import type { Column } from '../table/column.ts'
import { DataTable } from '../table/DataTable.tsx'
import { useAnswer } from '../client/use-answer.ts'
import { groupName, workloadWords, type Cost, type ShownCostGroup } from './cost-words.ts'
import { busy, cost, hours, idle } from './cost-columns.tsx'
import { useCostQuestion } from './use-cost-question.ts'
import { Waterfall } from './Waterfall.tsx'
import { Answered } from '../panel/Answered.tsx'

type Props = { readonly group: ShownCostGroup; readonly by: Cost['by']; readonly onClose: () => void }

/** One group: what it went to, and the workloads that it is made of. */
export function GroupCard({ group, by, onClose }: Props) {
  return (
    <SidePanel title={groupName(group, by)} lead={`Cost by ${by}`} onClose={onClose}>
      <Waterfall
        parts={group.usd === null ? group.gpuHours : partsInCents(group.usd)}
        unit={group.usd === null ? 'GPU-h' : 'USD'}
      />
      {group.kind === 'free' && (
        <p className="text-13 text-ink-soft">No workload held this capacity. Actions show how it could be used.</p>
      )}
      {by === 'node' && (
        <p className="text-13 text-ink-soft">
          Fleet shows what each GPU of a node held. Cost is not broken down by workload within a node.
        </p>
      )}
      {group.kind !== 'free' && by !== 'node' && <WorkloadsOf group={group} />}
    </SidePanel>
  )
}

function WorkloadsOf({ group: { id, usd } }: Pick<Props, 'group'>) {
  const question = useCostQuestion()
  const answer = useAnswer('costBreakdown', { ...question, within: id })
  // Another group's workloads are not shown as if they were this one's.
  const own = answer.data?.within === id ? answer.data : undefined
  return (
    <Answered answer={{ ...answer, data: own }} waiting={<Bone className="h-40" />}>
      {({ groups }) => (
        <DataTable
          caption="Workloads of this group"
          columns={COLUMNS}
          rows={inCents(groups, usd)}
          keyOf={(group) => group.id}
          initialSort={{ id: 'cost', down: true }}
          sortParameter="within"
          empty="No workloads in this group."
        />
      )}
    </Answered>
  )
}

const COLUMNS: readonly Column<ShownCostGroup>[] = [
  {
    id: 'name',
    name: 'Workload',
    cell: ({ key, kind }) => <WorkloadTitle id={key} isFree={kind === 'free'} />,
    sortBy: ({ key }) => key,
  },
  { ...hours, width: '5rem' },
  busy,
  { ...cost, width: '6rem' },
  { ...idle, width: '6rem' },
]

function WorkloadTitle({ id, isFree }: { readonly id: string; readonly isFree: boolean }) {
  if (isFree) return <span className="text-ink-soft italic">Unallocated</span>
  const { name, place } = workloadWords(id)
  return (
    <span className="block min-w-0">
      <bdi className="block truncate">{name}</bdi>
      <bdi className="block truncate text-12 text-ink-quiet">{place}</bdi>
    </span>
  )
}
