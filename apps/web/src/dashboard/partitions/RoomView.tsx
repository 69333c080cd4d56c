import type { MigProfile } from '@septet/domain'
import { useState } from 'react'

import { Panel } from '../../ui/Panel.tsx'
import { Answered } from '../panel/Answered.tsx'
import { useUrlChoice, useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { ProfileFields, useProfile } from './ProfileFields.tsx'
import { RoomResult } from './RoomAnswer.tsx'
import { PanelEmpty } from '../panel/PanelEmpty.tsx'

type Props = { readonly open: (node: string) => void }

/** Whether a profile can be placed now, where, and what keeps it out. */
export function RoomView({ open }: Props) {
  const { cluster } = useUrlState()
  const nodes = useAnswer('partitionsList', { cluster, mig: 'false', limit: 1 })
  return (
    <Panel title="What fits now">
      <Answered answer={nodes}>
        {({ facets, source }) =>
          source.kind === 'sample' ? (
            <PanelEmpty>Sample data has no GPUs to place a profile on. Choose a cluster.</PanelEmpty>
          ) : (
            <Question models={facets.models.map(({ name }) => name)} cluster={cluster} open={open} />
          )
        }
      </Answered>
    </Panel>
  )
}

type QuestionProps = Props & { readonly models: readonly string[]; readonly cluster: string | undefined }

function Question({ models, cluster, open }: QuestionProps) {
  const [wantedCount, chooseCount] = useUrlChoice('count')
  const choice = useProfile(models)
  const count = Math.min(100_000, Math.max(1, Math.round(Number(wantedCount ?? 1)) || 1))
  if (choice === undefined) {
    return <PanelEmpty>No GPU in this cluster supports MIG.</PanelEmpty>
  }
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-end gap-3">
        <ProfileFields choice={choice} />
        <label className="grid gap-1.5 text-13 font-medium">
          How many
          <input
            type="number"
            min={1}
            max={100_000}
            value={wantedCount ?? '1'}
            onChange={({ target }) => chooseCount(target.value, { replace: true })}
            className="h-10 w-24 rounded-control border border-(--free) bg-surface px-2 font-mono text-16 font-normal hover:border-ink-quiet sm:text-13"
          />
        </label>
      </div>
      <Found cluster={cluster} model={choice.model} profile={choice.profile} count={count} open={open} />
    </div>
  )
}

/** GPUs of each list at first, and at most. */
const FEW = 12
const MANY = 200

type FoundProps = Props & {
  readonly cluster: string | undefined
  readonly model: string
  readonly profile: MigProfile
  readonly count: number
}

function Found({ cluster, model, profile, count, open }: FoundProps) {
  const [limit, setLimit] = useState(FEW)
  const answer = useAnswer('partitionsRoom', { cluster, model, profile: profile.name, count, limit })
  return (
    <Answered answer={answer}>
      {(room) => (
        <RoomResult
          room={room}
          model={model}
          cluster={cluster}
          open={open}
          more={
            limit < MANY && Math.max(room.placeable.gpus, room.blockedGpus) > limit ? () => setLimit(MANY) : undefined
          }
        />
      )}
    </Answered>
  )
}
