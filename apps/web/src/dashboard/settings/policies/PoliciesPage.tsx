import { useState, type ReactNode } from 'react'

import { tell, type Answer } from '../../../api.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SubmitButton } from '../../../ui/SubmitButton.tsx'
import { dayTime } from '../../../ui/time-words.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { Answered } from '../../panel/Answered.tsx'
import { NumberField } from '../../form/NumberField.tsx'
import { Problem } from '../../form/Problem.tsx'
import { mayAs } from '../../words/role-words.ts'
import { useSending } from '../../client/use-sending.ts'
import { policiesOf } from './policies-of.ts'

type View = Answer<'policiesGet'>
type Policies = View['policies']

/** What idle, oversized and "on target" mean here, and what plans leave alone. */
export function PoliciesPage() {
  const answer = useAnswer('policiesGet', {})
  const role = useAnswer('sessionMe', {}).data?.role
  // The form begins anew with what is in force whenever that changes.
  return (
    <Answered answer={answer}>
      {(view) => (
        <PoliciesForm
          key={view.changedAt ?? 'never'}
          view={view}
          isAdmin={role !== undefined && mayAs(role, 'admin')}
          changed={() => void answer.refetch()}
        />
      )}
    </Answered>
  )
}

type FormProps = { readonly view: View; readonly isAdmin: boolean; readonly changed: () => void }

function PoliciesForm({ view, isAdmin, changed }: FormProps) {
  const { busy, problem, run } = useSending()
  const [shown, setShown] = useState(view.policies)
  const [version, setVersion] = useState(0)
  const put = (policies: Policies): Promise<void> =>
    run(async () => {
      await tell('policiesPut', { ...policies, edited: view.changedAt })
      changed()
      return { done: 'Policies saved. They apply within seconds.' }
    })
  return (
    <Form className="grid gap-4" send={(data) => void put(policiesOf(data))}>
      <p className="max-w-3xl text-13 text-ink-soft">
        {sinceWords(view)} Changes apply within seconds. Stored idle time keeps the limit it was measured with.
      </p>
      <fieldset key={version} disabled={!isAdmin} className="grid min-w-0 gap-4">
        <Fields policies={shown} />
      </fieldset>
      <Problem words={problem} />
      {isAdmin ? (
        <div className="flex flex-wrap items-center gap-3">
          <SubmitButton busy={busy}>Save policies</SubmitButton>
          <Button
            onClick={() => {
              setShown(view.defaults)
              setVersion(version + 1)
            }}
          >
            Reset to defaults
          </Button>
        </div>
      ) : (
        <p className="text-13 text-ink-soft">Only admins can change these.</p>
      )}
    </Form>
  )
}

const sinceWords = ({ changedAt, changedBy }: View): string =>
  changedAt === null
    ? 'Defaults: not changed yet.'
    : `Changed ${dayTime(changedAt)} by ${changedBy ?? 'an unknown account'}.`

type FieldsProps = { readonly policies: Policies }

const Fields = ({ policies }: FieldsProps) => (
  <>
    <Group title="Idle" lead="Held, but not busy for long enough. Unmeasured time never counts as idle.">
      <NumberField
        label="Busy at most"
        name="idleThreshold"
        unit="%"
        min={0}
        max={50}
        step={0.1}
        defaultValue={percentOf(policies.idle.threshold)}
      />
      <NumberField
        label="For at least"
        name="idleMinimum"
        unit="min"
        min={5}
        max={1440}
        defaultValue={policies.idle.minimumSeconds / 60}
      />
    </Group>
    <Group title="Target" lead="What the summary compares GPU utilization with.">
      <NumberField
        label="GPU utilization"
        name="utilizationTarget"
        unit="%"
        min={1}
        max={100}
        step={0.1}
        defaultValue={percentOf(policies.utilizationTarget)}
      />
    </Group>
    <RightSize policies={policies} />
    <Plans policies={policies} />
  </>
)

const RightSize = ({ policies: { rightSize } }: FieldsProps) => (
  <Group
    title="Right size"
    lead="When a workload counts as oversized, and how much headroom a smaller MIG profile must leave."
  >
    <NumberField
      label="Memory kept free above the peak"
      name="memoryMargin"
      unit="%"
      min={0}
      max={100}
      step={0.1}
      defaultValue={percentOf(rightSize.memoryMargin)}
    />
    <NumberField
      label="Max utilization of the smaller profile"
      name="targetUtilization"
      unit="%"
      min={10}
      max={100}
      step={0.1}
      note="For production. High availability uses 50%, development 80%."
      defaultValue={percentOf(rightSize.targetUtilization)}
    />
    <NumberField
      label="Measured history needed"
      name="minimumHistory"
      unit="h"
      min={1}
      max={720}
      defaultValue={rightSize.minimumHistorySeconds / 3600}
    />
  </Group>
)

const Plans = ({ policies: { plans } }: FieldsProps) => (
  <Group title="Guardrails" lead="What recommendations and plans must not touch.">
    <NumberField
      label="Max pods displaced per plan"
      name="maxDisplaced"
      unit="pods"
      min={0}
      max={1000}
      defaultValue={plans.maxDisplaced}
    />
    <div className="sm:col-span-2">
      <Field
        label="Protected namespaces"
        name="protectedNamespaces"
        defaultValue={plans.protectedNamespaces.join(', ')}
        verbatim
        note="No plan displaces their pods. Separated by commas. team-* matches every name that starts with team-."
      />
    </div>
  </Group>
)

type GroupProps = { readonly title: string; readonly lead: string; readonly children: ReactNode }

const Group = ({ title, lead, children }: GroupProps) => (
  <Panel title={title}>
    <p className="mb-3 text-13 text-ink-soft">{lead}</p>
    <div className="grid max-w-3xl gap-4 sm:grid-cols-3">{children}</div>
  </Panel>
)

/** Without the noise of binary fractions. */
const percentOf = (share: number): number => Math.round(share * 1000) / 10
