import { plural } from '@septet/domain/words'
import { useState } from 'react'

import type { Answer } from '../../../api.ts'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/Form.tsx'
import { SubmitButton } from '../../../ui/SubmitButton.tsx'
import { ChevronRightIcon } from '../../../ui/icons.tsx'
import type { May } from '../../acting/use-may.ts'
import { chosenCluster } from '../../client/sources.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { useCommand } from '../../client/use-command.ts'
import { ChoiceField } from '../../form/ChoiceField.tsx'
import { ProblemBox } from '../../form/Problem.tsx'
import { Answered } from '../../panel/Answered.tsx'

type Faults = Answer<'demoFaultsList'>

/** Where the demo cluster is shown: lets things go wrong in it, so that taking back can be watched. */
export function FaultPanel({ cluster, may }: { readonly cluster: string | undefined; readonly may: May }) {
  const chosen = chosenCluster(useAnswer('clustersList', {}).data?.clusters, cluster)
  return may.decide && chosen?.kind === 'demo' ? <Faults cluster={chosen.id} /> : undefined
}

function Faults({ cluster }: { readonly cluster: string }) {
  const answer = useAnswer('demoFaultsList', {})
  const active = answer.data?.active.length ?? 0
  return (
    <details className="group rounded-card border border-line bg-surface px-4 text-13 sm:px-5">
      <summary className="flex cursor-pointer flex-wrap items-baseline gap-x-3 rounded-control py-3.5">
        <span className="self-center text-ink-quiet transition-transform group-open:rotate-90">
          <ChevronRightIcon />
        </span>
        <span className="text-14 font-semibold tracking-[-0.005em]">Inject a fault</span>
        <span className="text-ink-soft max-sm:ml-6">
          {active === 0 ? 'demo cluster only' : `${plural(active, 'fault is', 'faults are')} active`}
        </span>
      </summary>
      <div className="grid grid-cols-1 gap-4 pb-5">
        <p className="max-w-3xl text-ink-soft">
          Add a fault, approve an action and watch its card: Septet reverts what failed, last step first, and says why.
        </p>
        <Answered answer={answer}>
          {({ kinds, active: list }) => (
            <>
              <AddFault kinds={kinds} cluster={cluster} added={answer.refetch} />
              {list.length > 0 && <ActiveFaults active={list} kinds={kinds} removed={answer.refetch} />}
            </>
          )}
        </Answered>
      </div>
    </details>
  )
}

type ActiveProps = Faults & { readonly removed: () => unknown }

function ActiveFaults({ active, kinds, removed }: ActiveProps) {
  const { busy, problem, send } = useCommand('demoFaultsRemove', { after: removed, done: () => 'Fault removed.' })
  return (
    <section aria-label="Active faults" className="grid gap-2">
      <h3 className="font-semibold">Active faults</h3>
      <ul className="grid divide-y divide-line border-t border-line">
        {active.map(({ id, kind, node, pod, resource, times, seconds }) => (
          <li key={id} className="flex items-start justify-between gap-4 py-2.5">
            <div className="min-w-0">
              <p className="font-medium wrap-anywhere">
                {[faultName(kind), node, pod, resource].filter((word) => word !== undefined).join(' · ')}
              </p>
              <p className="text-ink-soft wrap-anywhere">
                {[
                  kinds.find((each) => each.kind === kind)?.says,
                  ...(times === undefined ? [] : [`${plural(times, 'more time')}.`]),
                  ...(seconds === undefined ? [] : [`For ${seconds} s.`]),
                ]
                  .filter((words) => words !== undefined)
                  .join(' ')}
              </p>
            </div>
            <Button aria-disabled={busy} aria-label={`Remove ${faultName(kind)}`} onClick={() => !busy && send({ id })}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <ProblemBox words={problem} />
    </section>
  )
}

type Props = {
  readonly kinds: Answer<'demoFaultsList'>['kinds']
  readonly cluster: string
  readonly added: () => unknown
}

/** One fault to choose, with what it does, and on which node. */
function AddFault({ kinds, cluster, added }: Props) {
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

/** The faults of the demo cluster in a few words; what each does says the demo cluster. */
const faultName = (kind: string): string => NAMES[kind] ?? kind

const NAMES: Readonly<Record<string, string>> = {
  'mig-failed': 'A MIG change fails',
  'mig-stuck-pending': 'A MIG change hangs',
  'mig-reboot': 'A MIG change restarts the node',
  'slow-mig': 'A MIG change is slow',
  'late-device-plugin': 'New slices come late',
  'drifted-layout': 'A manual layout change',
  'withheld-device': 'A device becomes unhealthy',
  'node-vanishes': 'A node disappears',
  'ignores-sigterm': 'Pods are slow to stop',
  'budget-never-allows': 'A disruption budget allows nothing',
  'api-409': 'Writes meet a conflict',
  'api-429': 'Writes are rate-limited',
  'api-500': 'Writes fail',
  'answer-lost': 'Answers to writes are lost',
  'answer-wrong': 'Answers to writes are wrong',
  'config-race': 'A conflicting configuration write',
  'watch-cut': 'Watches are cut off',
}
