import { grouped } from '@septet/domain/words'
import { MEANINGS } from '../../ui/slice-words.ts'
import { Swatch } from '../../ui/Swatch.tsx'
import { FLEET_MEANINGS, type FleetMeaning } from './fleet-filter.ts'

type Props = {
  readonly counts: Readonly<Record<FleetMeaning, number>>
  readonly shown: readonly FleetMeaning[]
  readonly onChange: (shown: readonly FleetMeaning[]) => void
}

/** Names and counts of the meanings; a press leaves only the GPUs that have it, several leave those with any. */
export function FleetLegend({ counts, shown, onChange }: Props) {
  const present = FLEET_MEANINGS.filter((meaning) => ALWAYS.has(meaning) || counts[meaning] > 0)
  return (
    <fieldset className="-mx-1.5 flex flex-wrap items-center gap-x-1 gap-y-0.5 text-12">
      <legend className="sr-only">GPUs with</legend>
      <span aria-hidden className="px-1.5 text-ink-quiet">
        GPUs with
      </span>
      {present.map((meaning) => {
        const chosen = shown.includes(meaning)
        return (
          <button
            key={meaning}
            type="button"
            aria-pressed={chosen}
            onClick={() => onChange(chosen ? shown.filter((each) => each !== meaning) : [...shown, meaning])}
            className={`flex min-h-7 items-center gap-1.5 rounded-control px-1.5 transition-colors hover:bg-sunken ${chosen ? 'bg-sunken text-ink' : 'text-ink-soft'}`}
          >
            <Mark meaning={meaning} />
            {WORDS[meaning]}
            <span className="figure font-mono text-ink-quiet">{grouped(counts[meaning])}</span>
          </button>
        )
      })}
    </fieldset>
  )
}

/** Shown also when there are none: none is news too. */
const ALWAYS: ReadonlySet<FleetMeaning> = new Set(['busy', 'idle', 'free', 'uncut', 'stranded', 'unknown', 'fault'])

export const WORDS = { ...MEANINGS, others: 'held by others', fault: 'fault', down: 'node not ready' } satisfies Record<
  FleetMeaning,
  string
>

function Mark({ meaning }: { readonly meaning: FleetMeaning }) {
  if (meaning === 'fault')
    return (
      <svg aria-hidden width="11" height="11" viewBox="0 0 14 14">
        <path d="M7 .5 14 13.5H0Z" fill="var(--fault)" />
        <path d="M7 5v4M7 10.6v1.2" stroke="var(--surface)" strokeWidth="1.5" />
      </svg>
    )
  if (meaning === 'down')
    return (
      <svg aria-hidden width="10" height="10">
        <path d="m1.5 1.5 7 7m0-7-7 7" stroke="var(--fault)" strokeWidth="1.75" />
      </svg>
    )
  return <Swatch meaning={meaning} />
}
