type Props = {
  /** 0 to 1; undefined when it is not known, and then nothing is filled. */
  readonly value: number | undefined
  readonly target?: number
  readonly label: string
  readonly words: string
  /** What the filled part means; `stranded` where more of it is worse. */
  readonly meaning?: 'busy' | 'stranded'
}

/** A horizontal bar from 0 to 100 percent, with a mark where it aims at. */
export function Meter({ value, target, label, words, meaning = 'busy' }: Props) {
  return (
    <div
      // A meter must have a value, and 0 is one; a <meter> cannot show where it aims at.
      {...(value === undefined
        ? { role: 'img', 'aria-label': `${label}: ${words}` }
        : { role: 'meter', 'aria-label': label, 'aria-valuetext': words, ...onScale(value) })}
      className="relative h-2"
    >
      <svg aria-hidden width="100%" height="8" className="block">
        <rect width="100%" height="8" rx="3" fill={value === undefined ? 'url(#texture-unknown)' : 'var(--sunken)'} />
        {value !== undefined && <rect width={`${clamp(value) * 100}%`} height="8" rx="3" fill={`var(--${meaning})`} />}
      </svg>
      {target !== undefined && (
        <span
          aria-hidden
          className="absolute -top-1 h-4 w-0.5 -translate-x-1/2 rounded-full bg-ink ring-2 ring-surface"
          style={{ left: `${clamp(target) * 100}%` }}
        />
      )}
    </div>
  )
}

const onScale = (value: number) => ({
  'aria-valuemin': 0,
  'aria-valuemax': 100,
  'aria-valuenow': Math.round(value * 1000) / 10,
})

const clamp = (share: number): number => Math.min(1, Math.max(0, share))
