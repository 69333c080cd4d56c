import { CLASSES } from '@septet/domain/action-classes'
import { isNotFound, type Answer } from '../../api.ts'
import { SidePanel } from '../panel/SidePanel.tsx'
import { Answered } from '../panel/Answered.tsx'
import { type Recommendation, LEVEL } from '../recommendation/recommendation-words.ts'
import { useAnswer } from '../client/use-answer.ts'
import { ChangeFiles } from '../recommendation/ChangeFiles.tsx'
import { DismissForm } from './DismissForm.tsx'
import { EvidenceFacts } from './EvidenceFacts.tsx'
import { EvidencePast } from './EvidencePast.tsx'
import { GpusBeforeAfter } from '../../ui/GpusBeforeAfter.tsx'
import { Part, Line } from '../panel/Part.tsx'
import { Propose } from './inbox/Propose.tsx'
import { PlanSteps } from '../recommendation/PlanSteps.tsx'
import { SavingFacts } from './SavingFacts.tsx'
import { duration, wholePercent } from '@septet/domain/words'

type Props = {
  readonly id: string
  /** As the list has it: shown at once, and all there is of sample data. Undefined: it is not in the list any more. */
  readonly listed: Recommendation | undefined
  readonly cluster: string | undefined
  readonly onClose: () => void
  /** Called when it was dismissed or taken back. */
  readonly changed: () => void
}

/** The card of one recommendation: why, what it brings, what changes, who is displaced, and the way back. */
export function RecommendationPanel({ id, listed, cluster, onClose, changed }: Props) {
  if (listed === undefined) {
    return (
      <SidePanel title="No longer recommended" onClose={onClose}>
        <p className="text-13 text-ink-soft">
          It was applied, no longer applies, or the link is for another cluster. See the list for current
          recommendations.
        </p>
      </SidePanel>
    )
  }
  return (
    <SidePanel
      title={listed.title}
      lead={`${CLASSES[listed.kind].title} · ${listed.object}`}
      footer={listed.plan === null ? undefined : <Propose recommendation={listed} cluster={cluster} />}
      onClose={onClose}
    >
      <p className="text-13 wrap-anywhere">{listed.message}</p>
      <SavingFacts saving={listed.saving} evidence={listed.evidence} />
      {listed.plan === null ? <FixedTip /> : <Detail id={id} cluster={cluster} listed={listed} />}
      {listed.plan !== null && (
        <DismissForm recommendation={listed} cluster={cluster} done={changed} dismissed={onClose} />
      )}
    </SidePanel>
  )
}

const FixedTip = () => (
  <p className="text-13 text-ink-soft">
    Sample recommendations have no evidence and nothing to apply. Choose a cluster to see real ones.
  </p>
)

type DetailProps = {
  readonly id: string
  readonly cluster: string | undefined
  readonly listed: Recommendation
}

function Detail({ id, cluster, listed }: DetailProps) {
  const answer = useAnswer('recommendationsGet', { cluster, id })
  const { plan, risk } = listed
  return (
    <>
      <EvidenceFacts recommendation={listed} />
      {(answer.data !== undefined || answer.error === null) && (
        <EvidencePast past={answer.data?.past} kind={listed.kind} />
      )}
      <Part title="What changes">
        {answer.error !== null && answer.data === undefined && isNotFound(answer.error) ? (
          <p className="text-13 text-ink-soft">It no longer holds; the list is about to leave it out.</p>
        ) : (
          <Answered answer={answer}>
            {(data: Answer<'recommendationsGet'>) => <GpusBeforeAfter gpus={data.gpus} />}
          </Answered>
        )}
      </Part>
      {plan !== null && <PlanSteps plan={plan} />}
      {risk !== null && <RiskFacts risk={risk} />}
      {answer.data !== undefined && <ChangeFiles files={answer.data.files} id={id} />}
    </>
  )
}

type Risk = NonNullable<Recommendation['risk']>

/** What could go wrong, and for whom. */
const RiskFacts = ({ risk }: { readonly risk: Risk }) => (
  <Part title={LEVEL[risk.level]}>
    <dl className="divide-y divide-line text-13">
      <Line name="Displaced">
        {risk.displaced.length === 0 ? (
          'no pods'
        ) : (
          <ul>
            {risk.displaced.map((pod) => (
              <li key={pod}>{pod}</li>
            ))}
          </ul>
        )}
      </Line>
      <Line name="Takes">
        {duration(risk.seconds.low)} to {duration(risk.seconds.high)}, {risk.seconds.source}
      </Line>
      <Line name="Risk of outgrowing the new size">
        {risk.overrun === null ? 'nothing shrinks' : `chance ${wholePercent(risk.overrun)} within a day`}
      </Line>
      <Line name="Confidence in the evidence">
        <span className="font-mono">{wholePercent(risk.confidence)}</span>
      </Line>
    </dl>
  </Part>
)
