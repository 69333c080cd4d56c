import { plural } from '@septet/domain/words'
import { useState, type SyntheticEvent } from 'react'

import { tell } from '../../../api.ts'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/Form.tsx'
import { SubmitButton } from '../../../ui/SubmitButton.tsx'
import { dayTime } from '../../../ui/time-words.ts'
import { useSending } from '../../client/use-sending.ts'
import { Problem } from '../../form/Problem.tsx'
import type { ActPolicy, PolicyView } from './act-policy.ts'
import { AutoGroup } from './AutoGroup.tsx'
import { ClassTable } from './ClassTable.tsx'
import { changesOf, type Change } from './policy-facts.ts'
import { PolicyGroups } from './PolicyGroups.tsx'
import { ShadowPanel } from './ShadowPanel.tsx'

type Props = { readonly view: PolicyView; readonly isAdmin: boolean; readonly changed: () => unknown }

/** What one cluster lets Septet do, what was changed in it and not saved yet, and the button that saves it. */
export function PolicyForm({ view, isAdmin, changed }: Props) {
  const { busy, problem, run } = useSending()
  const [draft, setDraft] = useState(view.policy)
  const [version, setVersion] = useState(0)
  const changes = changesOf(view.policy, draft)
  const fill = (policy: ActPolicy): void => {
    setDraft(policy)
    setVersion(version + 1)
  }
  const put = (): Promise<void> =>
    run(async () => {
      if (changes.length === 0) return { problem: 'No changes to save.' }
      await tell('actPoliciesPut', { cluster: view.source.id, policy: draft, edited: view.changedAt })
      await changed()
      return { done: `${plural(changes.length, 'change')} saved for ${view.source.name}.` }
    })
  const change = (part: Partial<ActPolicy>): void => setDraft((before) => ({ ...before, ...part }))
  const group = { policy: draft, canChange: isAdmin, change }
  return (
    <Form className="grid grid-cols-1 gap-4" send={() => void put()} onInvalidCapture={unfold}>
      <p className="max-w-3xl text-13 text-ink-soft">{sinceWords(view)}</p>
      <ClassTable policy={draft} canChange={isAdmin} change={setDraft} />
      <ShadowPanel cluster={view.source.id} />
      {/* Fields keep what was typed into them; filled in from elsewhere, they start over. */}
      <fieldset key={version} disabled={!isAdmin} className="grid min-w-0 grid-cols-1 gap-2">
        <PolicyGroups {...group} />
        <AutoGroup {...group} />
      </fieldset>
      {isAdmin ? (
        <>
          <ChangeList changes={changes} />
          <Problem words={problem} />
          <div className="flex flex-wrap items-center gap-3">
            <SubmitButton busy={busy}>Save</SubmitButton>
            {changes.length > 0 && <Button onClick={() => fill(view.policy)}>Discard changes</Button>}
            <Button onClick={() => fill(view.defaults)}>Reset to defaults</Button>
          </div>
        </>
      ) : (
        <p className="text-13 text-ink-soft">Only admins can change this.</p>
      )}
    </Form>
  )
}

/** What the browser finds wrong in a group is shown, also where the group is folded. */
function unfold({ target }: SyntheticEvent): void {
  const group = target instanceof Element ? target.closest('details') : null
  if (group !== null) group.open = true
}

const sinceWords = ({ changedAt, changedBy, source }: PolicyView): string =>
  changedAt === null
    ? `Defaults: not changed yet for ${source.name}.`
    : `Changed ${dayTime(changedAt)} by ${changedBy ?? 'an unknown account'}.`

const ChangeList = ({ changes }: { readonly changes: readonly Change[] }) => (
  <output className="block text-13">
    {changes.length > 0 && (
      <div className="grid gap-1.5 rounded-control bg-sunken px-3 py-2.5">
        <p className="font-medium">{plural(changes.length, 'change')}, not saved yet</p>
        <ul className="grid gap-1" aria-label="Changes">
          {changes.map(({ name, before, after }) => (
            <li key={name} className="wrap-anywhere">
              {name}: <span className="text-ink-soft">{before}</span> <span aria-hidden>→</span>
              <span className="sr-only">becomes</span> {after}
            </li>
          ))}
        </ul>
        <p className="text-ink-soft">
          Applies from the next reading of the cluster, including to actions already approved.
        </p>
      </div>
    )}
  </output>
)
