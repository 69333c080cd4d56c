import { percent, wholePercent } from '@septet/domain/words'

import { CAPACITY_PARTS } from '../ui/capacity-parts.ts'
import { PartsBar } from '../ui/PartsBar.tsx'
import { SevenMeter } from '../ui/SevenMeter.tsx'
import { Swatch } from '../ui/Swatch.tsx'
import type { CardFigure, FleetAnswer } from './card-answer.ts'

/** How busy the GPUs are, where the money went, and what is wrong. */
export function FleetCard({ answer }: { readonly answer: FleetAnswer }) {
  const { utilization, capacity, workloads, health } = answer
  return (
    <>
      <section aria-label="Utilization" className="grid gap-2">
        <div className="flex items-baseline gap-2">
          <Headline figure={utilization.busy} />
          <span className="text-13 text-ink-soft">of GPU time was busy</span>
        </div>
        <SevenMeter value={utilization.busy.value ?? undefined} height={18} />
        <dl className="grid grid-cols-2 gap-x-4 gap-y-1 text-12 sm:grid-cols-4">
          <Fact name="Held by workloads" value={utilization.allocated.says} />
          <Fact name="Busy while held" value={utilization.busyOfAllocated.says} />
          <Fact name="GPUs ready" value={`${capacity.readyGpus} of ${capacity.gpus}`} />
          <Fact name="Running, waiting" value={`${workloads.running}, ${workloads.queued}`} />
        </dl>
      </section>
      <Division cost={answer.cost} />
      {health.problems.length > 0 && <Problems problems={health.problems} />}
    </>
  )
}

const Headline = ({ figure: { says, value } }: { readonly figure: CardFigure }) => (
  <span
    className={
      value === null
        ? 'text-20 font-medium text-ink-quiet'
        : 'text-28 font-semibold tracking-[-0.03em] whitespace-nowrap'
    }
  >
    {says}
  </span>
)

const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt className="text-ink-quiet">{name}</dt>
    <dd className="font-mono text-13">{value}</dd>
  </div>
)

/** The cost of the capacity in parts that add up to it; what was not measured is drawn apart from the rest of what was used. */
function Division({ cost }: Pick<FleetAnswer, 'cost'>) {
  const whole = cost.capacity.value
  if (whole === null || whole <= 0) return <p className="text-12 text-ink-quiet">Where the cost went is unknown.</p>
  const parts = CAPACITY_PARTS.map(({ key, name, meaning }) => {
    const { value, says } = key === 'unmeasured' ? cost.notMeasured : cost[key]
    const apart = key === 'used' ? (cost.notMeasured.value ?? 0) : 0
    const share = value === null ? undefined : (value - apart) / whole
    return { key, name: key === 'unmeasured' ? 'Not measured' : name, meaning, says, share }
  }).filter(({ share }) => share === undefined || share > 0)
  const words = parts.map(({ name, share }) => `${name} ${share === undefined ? 'not measured' : percent(share)}`)
  return (
    <section aria-label="Where the cost went" className="grid gap-2">
      <h2 className="flex flex-wrap items-baseline justify-between gap-x-4 text-13 font-medium">
        Where the cost went <span className="font-mono font-normal">{cost.capacity.says}</span>
      </h2>
      <PartsBar parts={parts.map(({ share = 0, ...part }) => ({ ...part, drawn: share }))} words={words.join(', ')} />
      <ul className="grid gap-x-4 gap-y-1 text-12 sm:grid-cols-2">
        {parts.map(({ key, name, meaning, says, share }) => (
          <li key={key} className="flex items-center gap-2">
            <Swatch meaning={meaning} />
            <span className="text-ink-soft">{name}</span>
            <span className="ml-auto font-mono">{share === undefined ? 'Not measured' : wholePercent(share)}</span>
            {share !== undefined && (
              <span className="w-20 text-right font-mono text-ink-quiet">{key === 'used' ? '' : says}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const SHOWN = 3

const Problems = ({ problems }: { readonly problems: readonly string[] }) => (
  <section aria-label="Problems" className="grid gap-1.5">
    <h2 className="text-13 font-medium">{problems.length === 1 ? '1 problem' : `${problems.length} problems`}</h2>
    <ul className="grid gap-1.5 text-12">
      {problems.slice(0, SHOWN).map((problem) => (
        <li key={problem} className="rounded-control bg-idle-soft px-2.5 py-1.5 wrap-anywhere">
          {problem}
        </li>
      ))}
    </ul>
    {problems.length > SHOWN && <p className="text-12 text-ink-quiet">and {problems.length - SHOWN} more</p>}
  </section>
)
