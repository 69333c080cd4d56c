import { dollars, duration, plural } from '@septet/domain/words'
import { isOurs, type ScenarioOutcome, type ScenarioResult, verdictOf } from '@septet/domain'
import { useEffect, useRef } from 'react'

import { runName } from './run-words.ts'

/** Who wins, by how much in GPUs, money and waiting, and why: before any table. It comes below the fold, so it takes the focus. */
export function VerdictLine({ result }: { readonly result: ScenarioResult }) {
  const words = verdictWords(result)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <div className="rounded-card border border-line bg-surface px-5 py-4">
      <h2 ref={heading} tabIndex={-1} className="scroll-mt-20 text-16 font-medium outline-none">
        {words.headline}
      </h2>
      {words.why !== '' && <p className="mt-1 text-13 text-ink-soft">{words.why}</p>}
    </div>
  )
}

export function verdictWords({ outcomes }: Pick<ScenarioResult, 'outcomes'>): { headline: string; why: string } {
  const verdict = verdictOf(outcomes)
  if (verdict === undefined) {
    return {
      headline: 'No winner: compare at least one Septet policy with one other.',
      why: 'A policy counts only if it serves all of this work with no wait.',
    }
  }
  const { winner, other } = verdict
  const by = (other.needed ?? 0) - (winner.needed ?? 0)
  const side = isOurs(other.run) ? 'the best of Septet’s' : 'the best other policy'
  const against = `${side}, ${quoted(other.run)}`
  const needs = `${quoted(winner.run)} needs ${plural(winner.needed ?? 0, 'GPU')} for zero wait`
  return {
    headline:
      by === 0
        ? `${needs}, as many as ${against}${moneyWords(winner, other)}.`
        : `${needs}: ${by} fewer than ${against} (${other.needed})${moneyWords(winner, other)}.`,
    why: [waitWords(winner, other), whyWords(winner, other)].filter((words) => words !== '').join(' '),
  }
}

/** Names hold commas of their own. */
const quoted = (run: string): string => `“${runName(run)}”`

function moneyWords({ costNeeded }: ScenarioOutcome, other: ScenarioOutcome): string {
  if (costNeeded === null || other.costNeeded === null) return ''
  const less = other.costNeeded - costNeeded
  if (Math.round(less) === 0) return ', at the same cost'
  return less > 0 ? `, ${dollars(less)} a month less` : `, though ${dollars(-less)} a month more: it takes dearer GPUs`
}

function waitWords(winner: ScenarioOutcome, other: ScenarioOutcome): string {
  if (winner.waitP95 === null || other.waitP95 === null) return ''
  const [mine, theirs] = [winner.waitP95, other.waitP95].map((seconds) => duration(seconds))
  return mine === theirs
    ? `On this fleet, 95% of pods wait at most ${mine} with either.`
    : `On this fleet, 95% of pods wait at most ${mine}, compared with ${theirs}.`
}

/** What sets them apart: room that nothing fits into, else how full GPUs get before another is opened. */
function whyWords(winner: ScenarioOutcome, other: ScenarioOutcome): string {
  const saved = other.stranded - winner.stranded
  if (saved >= 0.1) {
    return `It leaves ${saved.toFixed(1)} fewer GPUs’ worth of unusable fragments.`
  }
  return winner.usedMean < other.usedMean
    ? `It fills partly used GPUs first: ${winner.usedMean.toFixed(1)} in use on average, compared with ${other.usedMean.toFixed(1)}.`
    : ''
}
