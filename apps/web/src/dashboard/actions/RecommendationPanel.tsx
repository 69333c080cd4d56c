import { CLASSES } from '@septet/domain/action-classes'
import { duration, grouped, wholePercent } from '@septet/domain/words'

import { type Answer, isNotFound } from '../../api.ts'
import { Bone } from '../../ui/Bone.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { GpusBeforeAfter } from '../../ui/GpusBeforeAfter.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { windowWords } from '../../ui/time-words.ts'
import { MeasuredChart } from '../chart/MeasuredChart.tsx'
import { useAnswer } from '../client/use-answer.ts'
import { SizeEvidencePart } from '../gpu/SizeEvidence.tsx'
import { UseCharts } from '../gpu/UseCharts.tsx'
import { Answered } from '../panel/Answered.tsx'
import { Line, Part } from '../panel/Part.tsx'
import { SidePanel } from '../panel/SidePanel.tsx'
import { ChangeFiles } from '../recommendation/ChangeFiles.tsx'
import { PlanSteps } from '../recommendation/PlanSteps.tsx'
import { LEVEL, type Recommendation } from '../recommendation/recommendation-words.ts'
import { DismissForm } from './DismissForm.tsx'
import { SavingFacts } from './SavingFacts.tsx'
import { Propose } from './inbox/Propose.tsx'

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

/** What was seen: the rule's figures, over which window, how much of it was measured, and where to ask the same. */
export function EvidenceFacts({ recommendation }: { readonly recommendation: Recommendation }) {
  const { evidence, rule } = recommendation
  const { figures, window, samples, coverage, query } = evidence
  return (
    <Part title="Evidence">
      <dl className="divide-y divide-line text-13">
        {Object.entries(figures).map(([name, value]) => (
          <Line key={name} name={name}>
            <span className="font-mono">{figureText(value)}</span>
          </Line>
        ))}
        {window !== null && <Line name="Observed over">{windowWords(window)}</Line>}
        {samples !== null && (
          <Line name="Samples">
            <span className="font-mono">{grouped(samples)}</span>
          </Line>
        )}
        {coverage !== null && (
          <Line name="Measured">
            <span className="inline-flex items-center gap-2.5">
              <span className="w-24">
                <Meter value={coverage} label="Share of the window that was measured" words={wholePercent(coverage)} />
              </span>
              <span className="font-mono">{wholePercent(coverage)}</span>
            </span>
          </Line>
        )}
        <Line name="Rule">
          {rule.name}, version {rule.version}
        </Line>
      </dl>
      <div className="rounded-control bg-sunken px-3 py-2">
        <div className="flex items-center justify-between gap-3 text-12 text-ink-quiet">
          Query
          <CopyButton text={() => query} label="Copy" />
        </div>
        <code className="block font-mono text-12 wrap-anywhere">{query}</code>
      </div>
    </Part>
  )
}

const figureText = (value: string | number): string => (typeof value === 'number' ? grouped(value, 2) : value)

type Past = Answer<'recommendationsGet'>['past']
type EvidencePastProps = {
  /** Undefined: it is being asked for. */
  readonly past: Past | undefined
  readonly kind: Recommendation['kind']
}

/** What was measured while the evidence came about, with the limit that it is held against; gaps stay gaps. */
function EvidencePast({ past, kind }: EvidencePastProps) {
  const window = past?.use?.window
  return (
    <Part
      title="Measured over time"
      aside={window !== undefined && <span className="text-12 text-ink-quiet">{windowWords(window)}</span>}
    >
      {past === undefined ? (
        <Bone className="h-44" />
      ) : past === null ? (
        <p className="text-13 text-ink-soft">{whyNone(kind)}</p>
      ) : (
        <Charts past={past} />
      )}
    </Part>
  )
}

const NOTHING = 'No history stored for that period, so there is no chart.'

/** Some are not concluded from use over time at all. */
function whyNone(kind: Recommendation['kind']): string {
  const { past } = CLASSES[kind].advice
  return typeof past === 'string' ? NOTHING : past.because
}

const OF = 'over the time of the evidence'

function Charts({ past: { use, idleBelow, shareHeld, size } }: { readonly past: NonNullable<Past> }) {
  if (size?.evidence !== null && size?.evidence !== undefined) {
    return <SizeEvidencePart size={size} evidence={size.evidence} />
  }
  if (shareHeld !== null) {
    return (
      <MeasuredChart
        of={OF}
        title="Held by workloads"
        at={shareHeld.at}
        unit="ratio"
        series={[{ name: 'Held', tone: 'busy', values: shareHeld.held, filled: true }]}
      />
    )
  }
  return use === null ? (
    <p className="text-13 text-ink-soft">{NOTHING}</p>
  ) : (
    <UseCharts of={OF} use={use} idleBelow={idleBelow} />
  )
}
