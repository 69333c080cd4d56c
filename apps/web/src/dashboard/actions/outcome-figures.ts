import { agree, plural } from '@septet/domain/words'
import type { FigureView } from '@septet/contract'
import type { ScenarioOutcome } from '@septet/domain'

type Window = FigureView['explain']['window']
type Unit = FigureView['unit']

export type OutcomeColumn = {
  readonly id: string
  readonly name: string
  /** Where its heading or its unit is longer than the others'. */
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
  explain: { formula, window, source: 'simulated: see what this takes for granted' },
})

const NO_TIME = 'There is no time in what runs now, so nobody can be said to wait so long.'

/** The figures of one way, each with what it is. */
export const OUTCOME_COLUMNS: readonly OutcomeColumn[] = [
  {
    id: 'peak',
    name: 'Used',
    figure: ({ usedPeak, gpus }, window) =>
      figure(
        {
          value: usedPeak,
          unit: 'count',
          formula: `the most GPUs that held anything at one time, of ${gpus} in the fleet`,
        },
        window,
      ),
  },
  {
    id: 'needed',
    name: 'Needed',
    figure: ({ needed }, window) =>
      figure(
        {
          value: needed,
          unit: 'count',
          formula: 'the same peak, on a fleet so many times as large that nobody waits',
          because: needed === null ? 'Somebody still waits on a fleet eight times as large.' : undefined,
        },
        window,
      ),
  },
  {
    id: 'bound',
    name: 'At least',
    figure: ({ bound, needed }, window) =>
      figure(
        {
          value: bound,
          unit: 'count',
          formula:
            'GPUs at the busiest moment without waiting below which no plan can go, whatever it cuts and moves: counted, or proven by a certificate that is checked',
          because:
            bound === null
              ? 'Not proven where work may go to several GPU models.'
              : needed === null || needed < bound
                ? undefined
                : needed === bound
                  ? 'No plan can serve this without waiting with fewer GPUs.'
                  : `No plan can do with fewer than ${bound}; this one needs ${needed - bound} more.`,
        },
        window,
      ),
  },
  {
    id: 'busy',
    name: 'Busy',
    figure: ({ busy, measured }, window) =>
      figure(
        {
          value: busy,
          unit: 'ratio',
          coverage: measured,
          formula:
            'compute that work kept busy as it was measured in reality, over all GPUs of the fleet and the whole time',
          because: busy === null ? 'How busy this work was is not measured.' : undefined,
        },
        window,
      ),
  },
  {
    id: 'stranded',
    name: 'Stranded',
    width: '6rem',
    figure: ({ stranded }, window) =>
      figure(
        { value: stranded, unit: 'GPU', formula: 'free in a shape that no profile can use, mean over time' },
        window,
      ),
  },
  {
    id: 'queued',
    name: 'Queue',
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
  { id: 'p50', name: 'Wait p50', figure: (outcome, window) => waiting(outcome, outcome.waitP50, window) },
  { id: 'p95', name: 'Wait p95', figure: (outcome, window) => waiting(outcome, outcome.waitP95, window) },
  {
    id: 'cost',
    name: 'Cost',
    figure: ({ costNeeded, needed, unpriced }, window) =>
      figure(
        {
          value: costNeeded,
          unit: 'USD/mo',
          formula: 'GPUs needed so that nobody waits × price × 730 hours',
          because:
            costNeeded !== null
              ? undefined
              : needed === null
                ? 'How many GPUs are needed was not found.'
                : `${plural(unpriced, 'GPU has', 'GPUs have')} no price; the fleet above takes one.`,
        },
        window,
      ),
  },
  {
    id: 'useful',
    name: 'Per useful h',
    width: '8rem',
    figure: ({ costPerUsefulHour, measured }, window) =>
      figure(
        {
          value: costPerUsefulHour,
          unit: 'USD/GPU-h',
          coverage: measured,
          formula: 'cost of the fleet over that time ÷ GPU-hours of compute that were kept busy',
          because:
            costPerUsefulHour === null
              ? 'A price is missing in the fleet above, or it is not known how busy this work was.'
              : undefined,
        },
        window,
      ),
  },
]

function waiting({ waitAtLeast }: ScenarioOutcome, value: number | null, window: Window): FigureView {
  const because =
    value === null
      ? NO_TIME
      : waitAtLeast
        ? 'At least: some never started and count with their time so far.'
        : undefined
  return figure(
    {
      value,
      unit: 's',
      formula:
        'time from arrival to start, over all pods that can run here; what they waited in reality is not known and not in it',
      because,
    },
    window,
  )
}
