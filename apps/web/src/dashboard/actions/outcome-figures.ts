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

type Row = Omit<OutcomeColumn, 'figure'> & { readonly told: (outcome: ScenarioOutcome) => Told }

const ROWS: readonly Row[] = [
  {
    id: 'peak',
    name: 'Used',
    width: '3.75rem',
    told: ({ usedPeak, gpus }) => ({
      value: usedPeak,
      unit: 'count',
      formula: `peak number of GPUs in use, of ${gpus} in the fleet`,
    }),
  },
  {
    id: 'needed',
    name: 'Needed',
    width: '4.75rem',
    told: ({ needed }) => ({
      value: needed,
      unit: 'count',
      formula: 'GPUs of a fleet on which the same replay ran with zero wait',
      because: needed === null ? 'Pods still wait on a fleet eight times larger.' : undefined,
    }),
  },
  {
    id: 'busy',
    name: 'Busy',
    width: '4rem',
    told: ({ busy, measured }) => ({
      value: busy,
      unit: 'ratio',
      coverage: measured,
      formula:
        'compute that work kept busy as it was measured in reality, over all GPUs of the fleet and the whole time',
      because: busy === null ? MOSTLY_UNMEASURED : undefined,
    }),
  },
  {
    id: 'stranded',
    name: 'Stranded',
    width: '5.25rem',
    told: ({ stranded }) => ({
      value: stranded,
      unit: 'GPU',
      formula: 'free in a shape that no profile can use, mean over time',
    }),
  },
  {
    id: 'queued',
    name: 'Waiting',
    width: '4.75rem',
    told: ({ queuedMean, queuedPeak, impossible }) => ({
      value: queuedMean,
      unit: 'count',
      formula: `pods that wait, mean over time; ${queuedPeak} at the most`,
      because:
        impossible === 0
          ? undefined
          : `${plural(impossible, 'pod fits', 'pods fit')} no GPU of this fleet and ${agree(impossible, 'is', 'are')} not in it.`,
    }),
  },
  { id: 'p50', name: 'Wait p50', width: '6.25rem', told: (outcome) => waiting(outcome, outcome.waitP50) },
  { id: 'p95', name: 'Wait p95', width: '6.25rem', told: (outcome) => waiting(outcome, outcome.waitP95) },
  {
    id: 'cost',
    name: 'Cost',
    width: '5.25rem',
    told: ({ costNeeded, needed, unpriced }) => ({
      value: costNeeded,
      unit: 'USD/mo',
      formula: 'GPUs needed for zero wait × price × 730 hours',
      because:
        costNeeded !== null
          ? undefined
          : needed === null
            ? 'The number of GPUs needed is unknown.'
            : `${plural(unpriced, 'GPU has', 'GPUs have')} no price; the fleet above takes one.`,
    }),
  },
  {
    id: 'useful',
    name: 'Per useful h',
    width: '6.5rem',
    told: ({ costPerUsefulHour, busy, measured }) => ({
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
    }),
  },
]

/** The figures of one way, each with what it is. */
export const OUTCOME_COLUMNS: readonly OutcomeColumn[] = ROWS.map(({ told, ...row }) => ({
  ...row,
  figure: (outcome, window) => figure(told(outcome), window),
}))

const waiting = ({ waitAtLeast }: ScenarioOutcome, value: number | null): Told => ({
  value,
  unit: 's',
  formula: 'time from arrival to start, over all pods that can run here',
  because:
    value === null
      ? NONE_STARTED
      : waitAtLeast
        ? 'At least: pods that never started count with their time so far.'
        : undefined,
})
