type Props = { readonly state: 'on' | 'waiting' | 'fault' | 'off' }

/** A small mark beside words that say the same: filled, pulsing, crossed or hollow. */
export function StateDot({ state }: Props) {
  return (
    <svg
      aria-hidden
      width="8"
      height="8"
      viewBox="0 0 8 8"
      className={`shrink-0 ${state === 'waiting' ? 'waits' : ''}`}
    >
      {state === 'fault' ? (
        <path d="m1 1 6 6M7 1 1 7" stroke="var(--fault)" strokeWidth="1.75" />
      ) : (
        <circle cx="4" cy="4" r="3" fill={FILL[state]} stroke={STROKE[state]} strokeWidth="1.5" />
      )}
    </svg>
  )
}

const FILL = { on: 'var(--busy)', waiting: 'var(--idle)', off: 'none' } as const
const STROKE = { on: 'var(--busy)', waiting: 'var(--idle)', off: 'var(--ink-quiet)' } as const
