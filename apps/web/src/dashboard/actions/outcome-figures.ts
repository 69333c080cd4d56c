import { agree, plural } from '@septet/domain/words'
import type { FigureView } from '@septet/contract'
import type { ScenarioOutcome } from '@septet/domain'

type Window = FigureView['explain']['window']
type Unit = FigureView['unit']

export type OutcomeColumn = {
  readonly id: string
  readonly name: string
  /** Where its heading or its unit is longer or shorter than the others'. */
  readonly width?: string
  readonly figure: (outcome: ScenarioOutcome, window: Window) => FigureView
}

type Told = {
  readonly value: number | null
  readonly unit: Unit
  readonly formula: string
  readonly because?: string | undefined
  readonly coverage?: number
}

const figure = ({ value, unit, formula, because, coverage }: Told, window: Window): FigureView => ({
  value,
  unit,
  quality: value === null ? 'unknown' : 'estimated',
  because: because ?? null,
  coverage: coverage ?? null,
  explain: { formula, window, source: 'simulated; see Assumptions' },
})

const MOSTLY_UNMEASURED = 'Utilization was measured for less than half of this work.'
const NONE_STARTED = 'No pod started.'

/** The figures of one way, each with what it is. */
export const OUTCOME_COLUMNS: readonly OutcomeColumn[] = [
  {
    id: 'peak',
    name: 'Used',
    width: '3.75rem',
    figure: ({ usedPeak, gpus }, window) =>
      figure(
        { value: usedPeak, unit: 'count', formula: `peak number of GPUs in use, of ${gpus} in the fleet` },
        window,
      ),
  },
  {
    id: 'needed',
    name: 'Needed',
    width: '4.75rem',
    figure: ({ needed }, window) =>
      figure(
        {
          value: needed,
          unit: 'count',
          formula: 'GPUs of a fleet on which the same replay ran with zero wait',
          because: needed === null ? 'Pods still wait on a fleet eight times larger.' : undefined,
        },
        window,
      ),
  },
  {
    id: 'busy',
    name: 'Busy',
    width: '4rem',
    figure: ({ busy, measured }, window) =>
      figure(
        {
          value: busy,
          unit: 'ratio',
          coverage: measured,
          formula:
            'compute that work kept busy as it was measured in reality, over all GPUs of the fleet and the whole time',
          because: busy === null ? MOSTLY_UNMEASURED : undefined,
        },
        window,
      ),
  },
  {
    id: 'stranded',
    name: 'Stranded',
    width: '5.25rem',
    figure: ({ stranded }, window) =>
      figure(
        { value: stranded, unit: 'GPU', formula: 'free in a shape that no profile can use, mean over time' },
        window,
      ),
  },
  {
    id: 'queued',
    name: 'Waiting',
    width: '4.75rem',
    figure: ({ queuedMean, queuedPeak, impossible }, window) =>
      figure(
        {
          value: queuedMean,
          unit: 'count',
          formula: `pods that wait, mean over time; ${queuedPeak} at the most`,
          because:
            impossible === 0
              ? undefined
              : `${plural(impossible, 'pod fits', 'pods fit')} no GPU of this fleet and ${agree(impossible, 'is', 'are')} not in it.`,
        },
        window,
      ),
  },
  {
    id: 'p50',
    name: 'Wait p50',
    width: '6.25rem',
    figure: (outcome, window) => waiting(outcome, outcome.waitP50, window),
  },
  {
    id: 'p95',
    name: 'Wait p95',
    width: '6.25rem',
    figure: (outcome, window) => waiting(outcome, outcome.waitP95, window),
  },
  {
    id: 'cost',
    name: 'Cost',
    width: '5.25rem',
    figure: ({ costNeeded, needed, unpriced }, window) =>
      figure(
        {
          value: costNeeded,
          unit: 'USD/mo',
          formula: 'GPUs needed for zero wait × price × 730 hours',
          because:
            costNeeded !== null
              ? undefined
              : needed === null
                ? 'The number of GPUs needed is unknown.'
                : `${plural(unpriced, 'GPU has', 'GPUs have')} no price; the fleet above takes one.`,
        },
        window,
      ),
  },
  {
    id: 'useful',
    name: 'Per useful h',
    width: '6.5rem',
    figure: ({ costPerUsefulHour, busy, measured }, window) =>
      figure(
        {
          value: costPerUsefulHour,
          unit: 'USD/GPU-h',
          coverage: measured,
          formula: 'cost of the fleet over that time ÷ GPU-hours of compute that were kept busy',
          because:
            costPerUsefulHour !== null
              ? undefined
              : busy === null
                ? MOSTLY_UNMEASURED
                : 'A GPU price is missing above, or this work kept no GPU busy.',
        },
        window,
      ),
  },
]

function waiting({ waitAtLeast }: ScenarioOutcome, value: number | null, window: Window): FigureView {
  const because =
    value === null
      ? NONE_STARTED
      : waitAtLeast
        ? 'At least: pods that never started count with their time so far.'
        : undefined
  return figure(
    { value, unit: 's', formula: 'time from arrival to start, over all pods that can run here', because },
    window,
  )
}
