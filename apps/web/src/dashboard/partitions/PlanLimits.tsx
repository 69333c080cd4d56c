import { useId } from 'react'

type Limits = { readonly mayWait: boolean; readonly maxDisplaced: number }
type Props = Limits & { readonly onChange: (limits: Limits) => void }

/** What the plan is allowed to do to running pods. */
export function PlanLimits({ mayWait, maxDisplaced, onChange }: Props) {
  const most = useId()
  return (
    <fieldset className="flex flex-wrap items-center gap-x-6 gap-y-2 text-13">
      <legend className="sr-only">Plan limits</legend>
      <span className="flex items-center gap-2">
        <label htmlFor={most} className="text-ink-soft">
          Max pods displaced
        </label>
        <input
          id={most}
          type="number"
          min={0}
          max={200}
          value={maxDisplaced}
          onChange={({ target }) =>
            onChange({ mayWait, maxDisplaced: Math.min(200, Math.max(0, Math.round(Number(target.value)) || 0)) })
          }
          className="h-8 w-18 rounded-control border border-line bg-surface px-2 font-mono text-16 hover:border-line-strong sm:text-13"
        />
      </span>
      <label className="flex min-h-8 items-center gap-2 text-ink-soft">
        <input
          type="checkbox"
          checked={mayWait}
          onChange={({ target }) => onChange({ mayWait: target.checked, maxDisplaced })}
          className="size-4 accent-(--ink)"
        />
        Displaced pods may wait in the queue where no room is reserved for them
      </label>
    </fieldset>
  )
}
