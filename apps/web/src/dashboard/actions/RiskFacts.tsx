import { duration, wholePercent } from '@septet/domain/words'
import { LEVEL, type Recommendation } from '../recommendation/recommendation-words.ts'
import { Line, Part } from '../panel/Part.tsx'

type Risk = NonNullable<Recommendation['risk']>

/** What could go wrong, and for whom. */
export const RiskFacts = ({ risk }: { readonly risk: Risk }) => (
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
