import { grouped, wholePercent } from '@septet/domain/words'
import { CopyButton } from '../../ui/CopyButton.tsx'

import { windowWords } from '../../ui/time-words.ts'
import { Meter } from '../../ui/Meter.tsx'
import type { Recommendation } from '../recommendation/recommendation-words.ts'
import { Line, Part } from '../panel/Part.tsx'

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
