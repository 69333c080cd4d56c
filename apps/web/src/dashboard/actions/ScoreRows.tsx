import { agree, duration, plural } from '@septet/domain/words'
import type { ScenarioOutcome, ScenarioResult } from '@septet/domain'

import { Panel } from '../../ui/Panel.tsx'

import { WAY_WORDS } from './way-words.ts'

/** The same four GPUs under each way, as a score: lanes are slices, notes are pods, silence is free time. */
export function ScoreRows({ result }: { readonly result: ScenarioResult }) {
  return (
    <Panel
      title="First GPUs over time"
      aside={<span className="text-12 text-ink-quiet">time runs to the right, {duration(result.length)}</span>}
    >
      <div className="grid gap-5">
        {result.outcomes.map((outcome) => (
          <figure key={outcome.way} className="grid gap-1.5">
            <figcaption className="flex flex-wrap justify-between gap-x-4 text-13">
              <span>{WAY_WORDS[outcome.way]}</span>
              <span className="text-12 text-ink-quiet">{scoreWords(outcome)}</span>
            </figcaption>
            <Score outcome={outcome} length={result.length} />
          </figure>
        ))}
      </div>
      <p className="mt-3 text-12 text-ink-soft">
        {result.outcomes[0]?.score.model}: the first GPUs of the largest group, in each layout’s fill order. Other GPUs
        can look different.
      </p>
    </Panel>
  )
}

function scoreWords({ score }: ScenarioOutcome): string {
  const held = score.notes.reduce((sum, { size, from, to }) => sum + (size / score.slots) * (to - from), 0)
  const notes = `${score.notes.length}${score.cut ? ' or more' : ''} ${agree(score.notes.length, 'stay')}`
  return `${notes}, ${duration(held)} of GPU time held on ${plural(score.gpus, 'GPU')}`
}

const GPU = 26
const GAP = 4

function Score({ outcome, length }: { readonly outcome: ScenarioOutcome; readonly length: number }) {
  const { gpus, slots, notes } = outcome.score
  const lane = GPU / slots
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn inline, so that it follows the theme
      role="img"
      aria-label={`${WAY_WORDS[outcome.way]}: ${scoreWords(outcome)}`}
      width="100%"
      height={gpus * (GPU + GAP)}
      className="block"
    >
      {Array.from({ length: gpus }, (_, gpu) => (
        <rect key={gpu} y={gpu * (GPU + GAP)} width="100%" height={GPU} rx="2" fill="var(--sunken)" />
      ))}
      {notes.map(({ gpu, start, size, from, to, tenant }, index) => (
        <rect
          // Two stays may be equal.
          // oxlint-disable-next-line react/no-array-index-key -- a result is replaced as a whole
          key={index}
          x={`${(from / length) * 100}%`}
          y={gpu * (GPU + GAP) + start * lane + 0.5}
          width={`${Math.max(0.1, ((to - from) / length) * 100)}%`}
          height={Math.max(1.5, size * lane - 1)}
          rx="1.5"
          fill={tenant % 2 === 0 ? 'var(--busy)' : 'var(--planned)'}
          stroke="var(--surface)"
          strokeWidth="0.5"
        />
      ))}
    </svg>
  )
}
