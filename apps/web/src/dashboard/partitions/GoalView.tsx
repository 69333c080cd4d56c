import type { Answer } from '../../api.ts'
import { Panel } from '../../ui/Panel.tsx'
import { useUrlChoice, useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import type { PlanOrder } from '../client/use-computed.ts'
import { ChoiceField } from '../form/ChoiceField.tsx'
import { Segmented } from '../form/Segmented.tsx'
import { Answered } from '../panel/Answered.tsx'
import { PlanAsk } from './PlanAsk.tsx'
import { ProfileFields, useProfile } from './ProfileFields.tsx'
import { PanelEmpty } from '../panel/PanelEmpty.tsx'

const GOALS = [
  { value: 'fit', label: 'Start what waits', does: 'Starts as much waiting work as possible.' },
  { value: 'cost', label: 'Use fewer GPUs', does: 'Starts what waits, then frees as many GPUs as possible.' },
  { value: 'free-node', label: 'Empty a node', does: 'Moves its GPU pods elsewhere, so that you can remove it.' },
  {
    value: 'room-for',
    label: 'Make room',
    does: 'Room for one more instance of a MIG profile, with the fewest moves.',
  },
] as const
type Kind = (typeof GOALS)[number]['value']

/** Asks the planner for a goal, and shows what it would take. */
export function GoalView() {
  const { cluster } = useUrlState()
  const nodes = useAnswer('partitionsList', { cluster, mig: 'false', limit: 500 })
  return (
    <Panel title="What to plan for">
      <Answered answer={nodes}>
        {(list) =>
          list.source.kind === 'sample' ? (
            <PanelEmpty>Sample data has no GPUs to plan for. Choose a cluster.</PanelEmpty>
          ) : (
            <Ask key={list.source.id} list={list} cluster={cluster} />
          )
        }
      </Answered>
    </Panel>
  )
}

type Props = { readonly list: Answer<'partitionsList'>; readonly cluster: string | undefined }

function Ask({ list: { nodes, facets }, cluster }: Props) {
  const [wanted, choose] = useUrlChoice('goal')
  const [on, chooseNode] = useUrlChoice('on')
  const choice = useProfile(facets.models.map(({ name }) => name))
  const { value: kind, does } = GOALS.find(({ value }) => value === wanted) ?? GOALS[0]
  const node = nodes.find((one) => one.node === on)?.node
  return (
    <div className="grid gap-5">
      <Segmented label="Goal" options={GOALS} value={kind} onChange={choose} />
      {kind !== 'fit' && kind !== 'cost' && (
        <div className="flex flex-wrap items-end gap-3">
          {kind === 'room-for' && choice !== undefined && <ProfileFields choice={choice} />}
          <ChoiceField
            label="Node"
            options={[
              { value: '', label: 'Any, with the fewest moves' },
              ...nodes.map((one) => ({ value: one.node, label: one.node })),
            ]}
            value={node ?? ''}
            onChange={chooseNode}
          />
        </div>
      )}
      <PlanAsk
        key={kind}
        goal={goalOf(kind, { node, choice })}
        cluster={cluster}
        label="Make plan"
        note={
          kind === 'room-for' && choice === undefined
            ? 'No GPU in this cluster supports MIG.'
            : `${does} Planning changes nothing.`
        }
      />
    </div>
  )
}

type Chosen = { readonly node: string | undefined; readonly choice: ReturnType<typeof useProfile> }

function goalOf(kind: Kind, { node, choice }: Chosen): PlanOrder['goal'] | undefined {
  const there = node === undefined ? {} : { node }
  if (kind === 'free-node') return { kind, ...there }
  if (kind !== 'room-for') return { kind }
  return choice && { kind, profile: choice.profile.name, model: choice.model, ...there }
}
