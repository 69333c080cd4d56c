import { boardFor, plainProfiles, type MigProfile } from '@septet/domain'

import { useUrlChoice } from '../address/url-state.ts'
import { ChoiceField } from '../form/ChoiceField.tsx'

/** The board and the profile that the address names, of those that these boards have; undefined where none has any. */
export function useProfile(models: readonly string[]) {
  const [wantedModel, chooseModel] = useUrlChoice('board')
  const [wantedProfile, chooseProfile] = useUrlChoice('profile')
  const cuttable = models.filter((name) => boardFor(name) !== undefined)
  const model = cuttable.find((name) => name === wantedModel) ?? cuttable[0]
  const profiles = menuOf(model)
  const profile = profiles.find(({ name }) => name === wantedProfile) ?? profiles[0]
  return model === undefined || profile === undefined
    ? undefined
    : { model, profile, cuttable, profiles, chooseModel, chooseProfile }
}

/** The smallest profile last, as people look for room for something large. */
function menuOf(model: string | undefined): readonly MigProfile[] {
  const board = model === undefined ? undefined : boardFor(model)
  return board === undefined
    ? []
    : plainProfiles(board).toSorted((a, b) => a.computeSlices - b.computeSlices || a.size - b.size)
}

type Props = { readonly choice: NonNullable<ReturnType<typeof useProfile>> }

/** Which board, and which of its profiles. */
export const ProfileFields = ({ choice }: Props) => (
  <>
    <ChoiceField
      label="Board"
      options={choice.cuttable.map((name) => ({ value: name, label: name }))}
      value={choice.model}
      onChange={choice.chooseModel}
    />
    <ChoiceField
      label="Profile"
      options={choice.profiles.map(({ name }) => ({ value: name, label: name }))}
      value={choice.profile.name}
      onChange={choice.chooseProfile}
    />
  </>
)
