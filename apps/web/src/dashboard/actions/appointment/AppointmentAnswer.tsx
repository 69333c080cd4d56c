import { dollars, grouped, gpusText } from '@septet/domain/words'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'

import { NoticeBox } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { dayTime } from '../../../ui/time-words.ts'
import { Part } from '../../panel/Part.tsx'
import { ChangeFiles } from '../../recommendation/ChangeFiles.tsx'
import { PlanSteps } from '../../recommendation/PlanSteps.tsx'
import type { MadePlan } from '../../client/use-computed.ts'
import { LeftOut } from '../../recommendation/LeftOut.tsx'
import type { AppointmentForm } from './appointment-ask.ts'
import { tell } from '../../../api.ts'
import { useMay } from '../../acting/use-may.ts'
import { useActionsAnew, useOpenActions } from '../../acting/use-open-actions.ts'
import { useSending } from '../../client/use-sending.ts'
import { ProposeButton } from '../inbox/Propose.tsx'

type Props = { readonly plan: MadePlan; readonly ask: AppointmentForm }
type Appointment = NonNullable<MadePlan['appointment']>

/** What the planner says: what it costs, what happens when and to whom, the files, and the button that puts it up for approval. */
export function AppointmentResult({ ask, plan }: Props) {
  const { appointment, leftOut } = plan
  if (plan.kind === 'none' || appointment === null) {
    return (
      <Panel title="These GPUs are not available then">
        <div className="grid gap-4">
          <NoticeBox tone="warning">{plan.because}</NoticeBox>
          <LeftOut problems={leftOut} noun="node" />
        </div>
      </Panel>
    )
  }
  return (
    <Panel title={plan.title} label="Reservation">
      <div className="grid gap-5">
        <Costs appointment={appointment} />
        <ProposeAppointment ask={ask} />
        <AppointmentNodes nodes={appointment.nodes} profile={ask.profile} />
        <Part title="Good to know">
          <ul className="grid list-disc gap-1 pl-5 text-13">
            <li>
              Give the lines of <code className="font-mono text-12">let-in.yaml</code> below to the work that the GPUs
              are for: without them it cannot start on closed nodes either.
            </li>
            {plan.notes.map((note) => (
              <li key={note} className="wrap-anywhere">
                {note}
              </li>
            ))}
          </ul>
        </Part>
        <LeftOut problems={leftOut} noun="node" />
        <details>
          <summary className="w-fit rounded-control text-13 font-medium">All steps, with rollback</summary>
          <div className="mt-3 grid gap-5">
            <PlanSteps plan={{ ...plan, id: plan.id ?? 'appointment' }} />
          </div>
        </details>
        {plan.noFiles.length > 0 && (
          <NoticeBox tone="warning">This plan cannot be exported as files: {plan.noFiles.join(' ')}</NoticeBox>
        )}
        <ChangeFiles files={plan.files} id={plan.id ?? 'appointment'} />
      </div>
    </Panel>
  )
}

/** What it takes, in four figures. */
function Costs({ appointment }: { readonly appointment: Appointment }) {
  const { nodes, evictions, atLeast, idleHours, idleUsd } = appointment
  const closes = nodes.map(({ closesAt }) => closesAt).toSorted()[0]
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 lg:grid-cols-4">
      <Fact name="Nodes that close" says={closes === undefined ? '' : `from ${dayTime(closes)}`}>
        {grouped(nodes.length)}
      </Fact>
      <Fact name="Pods evicted" says={boundWords(evictions ?? 0, atLeast ?? 0)}>
        {grouped(evictions ?? 0)}
      </Fact>
      <Fact name="Reserved but idle" says="if nothing short is started there">
        {idleHours === null ? 'unknown' : `${grouped(idleHours, 1)} GPU-h`}
      </Fact>
      <Fact name="Cost of that" says={idleUsd === null ? 'a model has no price' : 'at the price in force'}>
        {idleUsd === null ? 'unknown' : dollars(idleUsd)}
      </Fact>
    </dl>
  )
}

const boundWords = (evictions: number, atLeast: number): string =>
  evictions === atLeast ? 'proven: no plan evicts fewer' : `proven minimum ${grouped(atLeast)}`

type FactProps = { readonly name: string; readonly says: string; readonly children: ReactNode }

const Fact = ({ name, says, children }: FactProps) => (
  <div className="grid content-start gap-0.5">
    <dt className="text-12 text-ink-soft">{name}</dt>
    <dd className="figure font-mono text-20">{children}</dd>
    <dd className="text-12 text-ink-quiet">{says}</dd>
  </div>
)

/** Puts the appointment up for approval, or says why it comes as files alone. */
function ProposeAppointment({ ask }: { readonly ask: AppointmentForm }) {
  const may = useMay()
  const list = useOpenActions(ask.cluster).data
  const { busy, problem, run } = useSending()
  const anew = useActionsAnew()
  const navigate = useNavigate()
  if (may.see !== true || list === undefined) return undefined
  const because = list.acting.state === 'ready' ? may.whyNot : list.acting.because
  if (because !== undefined) return <p className="text-12 text-ink-soft">{because}</p>
  const propose = (): Promise<void> =>
    run(async () => {
      const cluster = list.source.id
      const { id } = await tell('appointmentsPropose', { ...ask, cluster })
      await anew()
      await navigate(`/actions?cluster=${encodeURIComponent(cluster)}&action=${encodeURIComponent(id)}`)
      return undefined
    })
  return (
    <ProposeButton busy={busy} problem={problem} verb="Propose it" propose={propose}>
      After approval, Septet cordons the nodes, evicts pods, checks that the GPUs are free, and uncordons the nodes on
      schedule. Nothing changes yet.
    </ProposeButton>
  )
}

type Node = NonNullable<MadePlan['appointment']>['nodes'][number]

/** Each node with what happens to it and when: closed, who is gone by itself, who is evicted, opened. */
type AppointmentNodesProps = { readonly nodes: readonly Node[]; readonly profile: string | undefined }

const AppointmentNodes = ({ nodes, profile }: AppointmentNodesProps) => (
  <Part title="What happens, node by node">
    <ol className="grid divide-y divide-line">
      {nodes.map((node) => (
        <NodeItem key={node.node} node={node} profile={profile} />
      ))}
    </ol>
  </Part>
)

type ItemProps = { readonly node: Node; readonly profile: string | undefined }

const NodeItem = ({ node, profile }: ItemProps) => (
  <li className="grid gap-x-6 gap-y-1 py-2.5 text-13 sm:grid-cols-[14rem_minmax(0,1fr)]">
    <p className="wrap-anywhere">
      <bdi className="font-mono">{node.node}</bdi>
      <span className="block text-12 text-ink-soft">
        {gpusText(node.gpus, profile)} kept, {node.idleNow} free now
      </span>
    </p>
    <ul className="grid gap-0.5">
      <When at={node.closesAt}>closes: only work that is surely gone in time may start</When>
      {node.ending.map(({ pod, by }) => (
        <When key={pod} at={by}>
          <bdi>{pod}</bdi> has ended by then, by its own limit
        </When>
      ))}
      {node.evictsAt !== null && node.evicted.length > 0 && (
        <When at={node.evictsAt}>
          evicted: <bdi>{node.evicted.join(', ')}</bdi>
        </When>
      )}
      <When at={node.opensAt}>opens again</When>
    </ul>
  </li>
)

const When = ({ at, children }: { readonly at: string; readonly children: ReactNode }) => (
  <li className="grid grid-cols-[8.5rem_minmax(0,1fr)] wrap-anywhere">
    <time dateTime={at} className="figure text-12 leading-5 text-ink-soft">
      {dayTime(at)}
    </time>
    <span>{children}</span>
  </li>
)
