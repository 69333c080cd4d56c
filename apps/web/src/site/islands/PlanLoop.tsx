import { useState } from 'react'

type Props = { readonly label: string; readonly description: string; readonly note: string }

/**
 * A recording of a plan that is approved and verified. Nothing of it is loaded before somebody asks for it; it can be paused,
 * which shows how it ends; and whoever asked for less motion is not offered it.
 */
export function PlanLoop({ label, description, note }: Props) {
  const [state, setState] = useState<'closed' | 'playing' | 'paused'>('closed')
  const open = state !== 'closed'
  return (
    <div className="motion-reduce:hidden">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setState(open ? 'closed' : 'playing')}
        className="text-ink underline decoration-line-strong underline-offset-4 hover:decoration-ink"
      >
        {open ? 'Close the recording' : label}
      </button>
      {open && (
        <figure className="mt-3">
          <Picture name={state === 'playing' ? 'plan-loop' : 'plan-still'} description={description} />
          <figcaption className="mt-2 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-12 text-ink-quiet">
            <button
              type="button"
              onClick={() => setState(state === 'playing' ? 'paused' : 'playing')}
              className="min-h-7 rounded-control border border-line bg-surface px-3 text-ink hover:border-line-strong"
            >
              {state === 'playing' ? 'Pause' : 'Play'}
            </button>
            {note}
          </figcaption>
        </figure>
      )}
    </div>
  )
}

/** Of the theme that the page has, which may be another than the system's. */
function Picture({ name, description }: { readonly name: string; readonly description: string }) {
  const theme =
    document.documentElement.dataset['theme'] ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
  return (
    <img
      src={`/screenshots/${name}-${theme}.webp`}
      alt={description}
      width={960}
      height={600}
      className="h-auto w-full rounded-card border border-line"
    />
  )
}
