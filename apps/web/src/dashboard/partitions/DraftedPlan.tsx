import { duration } from '@septet/domain/words'
import type { ReactNode } from 'react'

import type { tell } from '../../api.ts'

import { NoticeBox } from '../../ui/Notice.tsx'
import { ChangeFiles } from '../recommendation/ChangeFiles.tsx'
import { Part } from '../panel/Part.tsx'
import { PlanSteps } from '../recommendation/PlanSteps.tsx'
import { failureWords } from '../client/failure-words.ts'
import { movedWords } from './moved-words.ts'
import type { LayoutDraft } from './use-draft.ts'

type Plan = Awaited<ReturnType<typeof tell<'plansDraft'>>>

/** What the planner said: steps, who is displaced and where they go, refusals in its words, the way back, and the files. */
export function DraftedPlan({ draft }: { readonly draft: LayoutDraft }) {
  const { plan, error, outdated, mayWait } = draft
  if (error !== null) return <NoticeBox tone="fault">{failureWords(error)}</NoticeBox>
  if (plan === undefined) return undefined
  return (
    <section aria-label="Draft plan" className="grid gap-4">
      {outdated && (
        <NoticeBox tone="warning">This plan is for the layout before your last change. Draft it again.</NoticeBox>
      )}
      {plan.kind === 'plan' ? <Steps plan={plan} mayWait={mayWait} /> : <NoSteps plan={plan} />}
    </section>
  )
}

const NoSteps = ({ plan }: { readonly plan: Plan }) => (
  <>
    <NoticeBox tone={plan.kind === 'no-change' ? 'quiet' : 'warning'}>
      {HEADS[plan.kind]} {plan.because}
    </NoticeBox>
    {plan.refused.slice(1).map(({ object, message }) => (
      <p key={`${object} ${message}`} className="text-13 wrap-anywhere">
        {message} <span className="text-ink-quiet">{object}</span>
      </p>
    ))}
  </>
)

const HEADS = {
  plan: '',
  'no-change': 'Nothing would change.',
  refused: 'Blocked by a guardrail:',
  none: 'The planner found no way:',
} satisfies Record<Plan['kind'], string>

function Steps({ plan, mayWait }: { readonly plan: Plan; readonly mayWait: boolean }) {
  const { steps, displaced, seconds, files, noFiles, wayBack } = plan
  return (
    <>
      <div className="grid gap-1">
        <h3 className="text-16 font-semibold tracking-tight wrap-anywhere">{plan.title}</h3>
        <dl className="flex flex-wrap gap-x-8 gap-y-1 text-13">
          <Fact name="Steps">{steps.length}</Fact>
          <Fact name="Pods displaced">{displaced.length}</Fact>
          {seconds !== null && (
            <Fact name="Takes">
              {duration(seconds.low)} to {duration(seconds.high)}
            </Fact>
          )}
          {plan.madeFrom !== null && <Fact name="From the cluster at">{plan.madeFrom.slice(11, 19)} UTC</Fact>}
        </dl>
      </div>
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

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="flex items-baseline gap-2">
    <dt className="text-12 text-ink-quiet">{name}</dt>
    <dd className="figure font-mono">{children}</dd>
  </div>
)

function Displaced({ plan: { displaced, moves }, mayWait }: { readonly plan: Plan; readonly mayWait: boolean }) {
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
