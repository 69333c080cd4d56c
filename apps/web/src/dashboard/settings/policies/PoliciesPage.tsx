import { LIMITS } from 'virtual:limits/policiesPut'

import { tell, type Answer } from '../../../api.ts'
import { Panel } from '../../../ui/Panel.tsx'
import { useAnswer } from '../../client/use-answer.ts'
import { differences, saidBy } from '../../form/changes.ts'
import { SchemaFields, type FieldOf } from '../../form/SchemaFields.tsx'
import { Answered } from '../../panel/Answered.tsx'
import { KeptForm } from '../KeptForm.tsx'

type Policies = Answer<'policiesGet'>['policies']

/** What idle, oversized and "on target" mean here, and what plans leave alone. */
export function PoliciesPage() {
  const answer = useAnswer('policiesGet', {})
  return (
    <Answered answer={answer}>
      {(view) => (
        <KeptForm
          // The form begins again with what is in force whenever that changes.
          key={view.changedAt ?? 'never'}
          view={view}
          inForce={view.policies}
          defaults={view.defaults}
          changesOf={(before, after) => differences(saidBy(LIMITS, FIELDS, before), saidBy(LIMITS, FIELDS, after))}
          put={async (policies) => {
            await tell('policiesPut', { ...policies, edited: view.changedAt })
            await answer.refetch()
            return { done: 'Policies saved. They apply within seconds.' }
          }}
          submit="Save policies"
          unchanged="Defaults: not changed yet."
          about="Changes apply within seconds. Stored idle time keeps the limit it was measured with."
        >
          {({ value, change }) =>
            GROUPS.map(({ title, lead, fields }) => (
              <Panel key={title} title={title}>
                <p className="mb-3 text-13 text-ink-soft">{lead}</p>
                <div className="grid max-w-3xl gap-4 sm:grid-cols-3">
                  <SchemaFields limits={LIMITS} fields={fields} value={value} change={change} />
                </div>
              </Panel>
            ))
          }
        </KeptForm>
      )}
    </Answered>
  )
}

type Group = { readonly title: string; readonly lead: string; readonly fields: readonly FieldOf<Policies>[] }

const GROUPS: readonly Group[] = [
  {
    title: 'Idle',
    lead: 'Held, but not busy for long enough. Unmeasured time never counts as idle.',
    fields: [
      { at: 'idle.threshold', label: 'Busy at most', unit: '%', scale: 0.01 },
      { at: 'idle.minimumSeconds', label: 'For at least', unit: 'min', scale: 60 },
    ],
  },
  {
    title: 'Target',
    lead: 'What the summary compares GPU utilization with.',
    fields: [{ at: 'utilizationTarget', label: 'GPU utilization', unit: '%', scale: 0.01 }],
  },
  {
    title: 'Right size',
    lead: 'When a workload counts as oversized, and how much headroom a smaller MIG profile must leave.',
    fields: [
      { at: 'rightSize.memoryMargin', label: 'Memory kept free above the peak', unit: '%', scale: 0.01 },
      {
        at: 'rightSize.targetUtilization',
        label: 'Max utilization of the smaller profile',
        unit: '%',
        scale: 0.01,
        note: 'For production. High availability uses 50%, development 80%.',
      },
      { at: 'rightSize.minimumHistorySeconds', label: 'Measured history needed', unit: 'h', scale: 3600 },
    ],
  },
  {
    title: 'Guardrails',
    lead: 'What recommendations and plans must not touch.',
    fields: [
      { at: 'plans.maxDisplaced', label: 'Max pods displaced per plan', unit: 'pods' },
      {
        at: 'plans.protectedNamespaces',
        label: 'Protected namespaces',
        note: 'No plan displaces their pods. Separated by commas. team-* matches every name that starts with team-.',
        wide: true,
      },
    ],
  },
]
const FIELDS = GROUPS.flatMap(({ fields }) => fields)
