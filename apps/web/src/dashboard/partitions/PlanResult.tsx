import { saysOf } from '@septet/contract/says'
import { duration } from '@septet/domain/words'

import { NoticeBox } from '../../ui/Notice.tsx'
import type { MadePlan, Planning, PlanOrder } from '../client/use-computed.ts'
import { Part } from '../panel/Part.tsx'
import { ChangeFiles } from '../recommendation/ChangeFiles.tsx'
import { LeftOut } from '../recommendation/LeftOut.tsx'
import { PlanSteps } from '../recommendation/PlanSteps.tsx'

type Props = {
  readonly planning: Planning
  /** What would be asked now: a plan for something else says so. */
  readonly order: PlanOrder | undefined
}

/** What the planner said: steps, who is displaced and where they go, refusals in its words, the way back, and the files. */
export function PlanResult({ planning: { state }, order }: Props) {
  if (state.kind === 'failed') return <NoticeBox tone="fault">{state.problem}</NoticeBox>
  if (state.kind !== 'done') return undefined
  const { result: plan, asked } = state
  return (
    <section aria-label="Draft plan" className="grid gap-4">
      {JSON.stringify(asked) !== JSON.stringify(order) && (
        <NoticeBox tone="warning">This plan is for what you asked before your last change. Draft it again.</NoticeBox>
      )}
      {plan.kind === 'plan' ? <Steps plan={plan} mayWait={asked.mayWait ?? false} /> : <NoSteps plan={plan} />}
      <Work title="Starts" lines={plan.starts.map(({ workload, by }) => [workload, STARTS_BY[by]])} />
      <Work title="Still waits" lines={plan.waits.map(({ workload, because }) => [workload, because])} />
      <LeftOut problems={plan.leftOut} noun="GPU" />
    </section>
  )
}

const STARTS_BY = {
  room: 'there is room already',
  recut: 'after unallocated GPUs are repartitioned',
  moves: 'where others move away',
} satisfies Record<MadePlan['starts'][number]['by'], string>

function Work({ title, lines }: { readonly title: string; readonly lines: readonly (readonly [string, string])[] }) {
  if (lines.length === 0) return undefined
  return (
    <Part title={title}>
      <ul className="grid gap-1 text-13">
        {lines.map(([workload, words]) => (
          <li key={workload} className="flex flex-wrap justify-between gap-x-6 wrap-anywhere">
            <bdi className="font-mono text-12">{workload}</bdi>
            <span className="text-ink-soft">{words}</span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

const NoSteps = ({ plan }: { readonly plan: MadePlan }) => (
  <>
    <NoticeBox tone={plan.kind === 'no-change' ? 'quiet' : 'warning'}>
      {HEADS[plan.kind]} {plan.because}
    </NoticeBox>
    <Said plan={plan} on={/^(?:bound|use|refused|notes)/u} />
  </>
)

/** What it says of some of its figures, in its own sentences. */
function Said({ plan, on }: { readonly plan: MadePlan; readonly on: RegExp }) {
  // What is said of the head of the plan is the notice, or the title.
  const said = saysOf(plan.says.slice(1), on)
  if (said.length === 0) return undefined
  return (
    <ul className="grid max-w-3xl list-disc gap-1 pl-5 text-13">
      {said.map(({ text }) => (
        <li key={text} className="wrap-anywhere">
          {text}
        </li>
      ))}
    </ul>
  )
}

const HEADS = {
  plan: '',
  'no-change': 'Nothing would change.',
  refused: 'Blocked by a guardrail:',
  none: 'The planner found no way:',
} satisfies Record<MadePlan['kind'], string>

function Steps({ plan, mayWait }: { readonly plan: MadePlan; readonly mayWait: boolean }) {
  const { seconds, files, noFiles, wayBack } = plan
  return (
    <>
      <div className="grid gap-1">
        <h3 className="text-16 font-semibold tracking-tight wrap-anywhere">{plan.says[0]?.text}</h3>
        <p className="figure text-12 text-ink-soft">
          {seconds !== null && `Takes ${duration(seconds.low)} to ${duration(seconds.high)}. `}
          {plan.madeFrom !== null && `Planned on the cluster as of ${plan.madeFrom.slice(11, 19)} UTC.`}
        </p>
      </div>
      <Said plan={plan} on={/^(?:use|saving|notes)/u} />
      <Displaced plan={plan} mayWait={mayWait} />
      <PlanSteps plan={{ ...plan, id: plan.id ?? 'draft' }} />
      {wayBack.lost.length > 0 && (
        <Part title="What cannot be undone">
          <ul className="grid list-disc gap-1 pl-5 text-13">
            {wayBack.lost.map((sentence) => (
              <li key={sentence} className="wrap-anywhere">
                {sentence}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {noFiles.length > 0 && (
        <NoticeBox tone="warning">This plan cannot be exported as files: {noFiles.join(' ')}</NoticeBox>
      )}
      <ChangeFiles files={files} id={plan.id ?? 'draft'} />
    </>
  )
}

function Displaced({ plan: { displaced, moves }, mayWait }: { readonly plan: MadePlan; readonly mayWait: boolean }) {
  const to = new Map(moves.map((move) => [move.pod, move.to]))
  return (
    <Part title="Displaced pods">
      {displaced.length === 0 ? (
        <p className="text-13">None. No running pod stops.</p>
      ) : (
        <ul className="grid gap-1 text-13">
          {displaced.map((pod) => {
            const room = to.get(pod) ?? undefined
            return (
              <li key={pod} className="flex flex-wrap justify-between gap-x-6 wrap-anywhere">
                <bdi className="font-mono text-12">{pod}</bdi>
                <span className="text-ink-soft">{movedWords(room, mayWait)}</span>
              </li>
            )
          })}
        </ul>
      )}
    </Part>
  )
}

type Room = NonNullable<MadePlan['moves'][number]['to']>

/**
 * Where a displaced pod goes. Where it may not wait in the queue, the planner has counted room for it among what is free once
 * the steps are done, and refuses the plan otherwise.
 */
export function movedWords(room: Room | undefined, mayWait: boolean): string {
  if (room !== undefined) return `to ${room.profile === '' ? 'a whole GPU' : room.profile} on ${room.node ?? room.gpu}`
  return mayWait
    ? 'to any room that is free once the steps are done, or into the queue'
    : 'to room that is free once the steps are done'
}
