import { tell } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { SubmitButton } from '../../ui/SubmitButton.tsx'
import { ago } from '../../ui/time-words.ts'
import { useNow } from '../../ui/use-now.ts'
import { ProblemBox } from '../form/Problem.tsx'
import { ReasonedForm } from '../form/ReasonedForm.tsx'
import { useSending } from '../client/use-sending.ts'
import type { Recommendation } from '../recommendation/recommendation-words.ts'
import { useAnswer } from '../client/use-answer.ts'
import { Part } from '../panel/Part.tsx'

type Props = {
  readonly recommendation: Recommendation
  readonly cluster: string | undefined
  /** Something changed on the server. */
  readonly done: () => void
  /** It is out of the list now. */
  readonly dismissed: () => void
}

/** Says no with a reason, or takes the no back. Those who may not are told which role it takes. */
export function DismissForm(props: Props) {
  const me = useAnswer('sessionMe', {}).data
  const now = useNow()
  const no = props.recommendation.dismissed
  const isOperator = me !== undefined && me.kind !== 'visitor' && me.role !== 'viewer'
  return (
    <Part title={no === null ? 'Not for you?' : 'Dismissed'}>
      {no !== null && (
        <p className="text-13 text-ink-soft wrap-anywhere">
          “{no.reason}”, {ago(no.at, now)}
        </p>
      )}
      {isOperator ? <Saying {...props} /> : <WhyNot me={me?.kind === 'visitor' ? 'visitor' : me?.role} />}
    </Part>
  )
}

function Saying({ recommendation, cluster, done, dismissed }: Props) {
  const { busy, problem, run } = useSending()
  const place = { id: recommendation.id, ...(cluster === undefined ? {} : { cluster }) }
  const dismiss = (reason: string): Promise<void> =>
    run(async () => {
      await tell('recommendationsDismiss', { ...place, reason })
      done()
      dismissed()
      return { done: 'Dismissed. Find it at the end of the list with your reason.' }
    })
  const restore = (): Promise<void> =>
    run(async () => {
      await tell('recommendationsRestore', place)
      done()
      return { done: 'Restored.' }
    })
  return (
    <>
      <ProblemBox words={problem} />
      {recommendation.dismissed !== null ? (
        <Button className="justify-self-start" disabled={busy} onClick={() => void restore()}>
          Restore
        </Button>
      ) : (
        <ReasonedForm
          label="Reason"
          note="Visible to everyone who sees this recommendation. It stays dismissed until you restore it."
          className="grid gap-3"
          send={(reason) => void dismiss(reason)}
        >
          <SubmitButton busy={busy} look="outline" className="justify-self-start">
            Dismiss
          </SubmitButton>
        </ReasonedForm>
      )}
    </>
  )
}

const WhyNot = ({ me }: { readonly me: string | undefined }) => (
  <p className="text-13 text-ink-soft">
    Only operators and admins can dismiss
    {me === undefined ? '.' : me === 'visitor' ? '; visitors may only look.' : `; you are ${me}.`}
  </p>
)
