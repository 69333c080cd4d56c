import { useState } from 'react'

import type { Answer } from '../../../api.ts'
import { Form } from '../../../ui/Form.tsx'
import { SubmitButton } from '../../../ui/SubmitButton.tsx'
import { useAnswer } from '../../client/use-answer.ts'
import { useCommand } from '../../client/use-command.ts'
import { ChoiceField } from '../../form/ChoiceField.tsx'
import { ProblemBox } from '../../form/Problem.tsx'
import { faultName } from './fault-names.ts'

type Props = {
  readonly kinds: Answer<'demoFaultsList'>['kinds']
  readonly cluster: string
  readonly added: () => unknown
}

/** One fault to choose, with what it does, and on which node. */
export function AddFault({ kinds, cluster, added }: Props) {
  const [wanted, setWanted] = useState('mig-failed')
  const [node, setNode] = useState('')
  const nodes = useAnswer('partitionsList', { cluster, mig: 'false', limit: 500 }).data?.nodes ?? []
  const { busy, problem, send } = useCommand('demoFaultsAdd', {
    after: added,
    done: ({ kind }) => `${faultName(kind)}: this happens on the next step.`,
  })
  const chosen = kinds.find(({ kind }) => kind === wanted) ?? kinds[0]
  if (chosen === undefined) return <p className="text-ink-soft">No faults available right now.</p>
  const takesNode = chosen.takes.includes('node')
  return (
    <Form
      aria-label="Add a fault"
      className="grid max-w-3xl gap-3 sm:grid-cols-2"
      send={() => send({ kind: chosen.kind, ...(takesNode && node !== '' ? { node } : {}) })}
    >
      <ChoiceField
        label="Fault"
        options={kinds.map(({ kind }) => ({ value: kind, label: faultName(kind) }))}
        value={chosen.kind}
        onChange={setWanted}
      />
      {takesNode && (
        <ChoiceField
          label="Node"
          options={[
            { value: '', label: 'No node in particular' },
            ...nodes.map((each) => ({ value: each.node, label: each.node })),
          ]}
          value={node}
          onChange={setNode}
        />
      )}
      <p className="text-ink-soft sm:col-span-2">{chosen.says}</p>
      <div className="grid justify-items-start gap-3 sm:col-span-2">
        <ProblemBox words={problem} />
        <SubmitButton busy={busy} look="outline">
          Inject fault
        </SubmitButton>
      </div>
    </Form>
  )
}
