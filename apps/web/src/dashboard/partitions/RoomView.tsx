import { boardFor, plainProfiles, type MigProfile } from '@septet/domain'
import { useState } from 'react'

import { Panel } from '../../ui/Panel.tsx'
import { ChoiceField } from '../form/ChoiceField.tsx'
import { Answered } from '../panel/Answered.tsx'
import { useUrlChoice, useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { RoomResult } from './RoomAnswer.tsx'

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
            <p className="py-4 text-13 text-ink-soft">
              Sample data has no GPUs to place a profile on. Choose a cluster.
            </p>
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
  const [wantedModel, chooseModel] = useUrlChoice('board')
  const [wantedProfile, chooseProfile] = useUrlChoice('profile')
  const [wantedCount, chooseCount] = useUrlChoice('count')
  const cuttable = models.filter((name) => boardFor(name) !== undefined)
  const model = cuttable.find((name) => name === wantedModel) ?? cuttable[0]
  const profiles = menuOf(model)
  const profile = profiles.find(({ name }) => name === wantedProfile) ?? profiles[0]
  const count = Math.min(100_000, Math.max(1, Math.round(Number(wantedCount ?? 1)) || 1))
  if (model === undefined || profile === undefined) {
    return <p className="py-4 text-13 text-ink-soft">No GPU in this cluster supports MIG.</p>
  }
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-end gap-3">
        <ChoiceField
          label="Board"
          options={cuttable.map((name) => ({ value: name, label: name }))}
          value={model}
          onChange={chooseModel}
        />
        <ChoiceField
          label="Profile"
          options={profiles.map(({ name }) => ({ value: name, label: name }))}
          value={profile.name}
          onChange={chooseProfile}
        />
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
      <Found cluster={cluster} model={model} profile={profile} count={count} open={open} />
    </div>
  )
}

/** The smallest profile last, as people look for room for something large. */
function menuOf(model: string | undefined): readonly MigProfile[] {
  const board = model === undefined ? undefined : boardFor(model)
  return board === undefined
    ? []
    : plainProfiles(board).toSorted((a, b) => a.computeSlices - b.computeSlices || a.size - b.size)
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
