/** Where the seven segments start, grouped four, two and one as in the logo, in percent of the width. */
const SEGMENTS = [0, 13.6, 27.2, 40.8, 57.4, 71, 87.6]
const WIDTH = 12.4

/** A share of compute slices, filled slice by slice. Decoration for a figure that is written beside it. */
export function SevenMeter({ value, height = 22 }: { readonly value: number | undefined; readonly height?: number }) {
  return (
    <svg aria-hidden width="100%" height={height} className="block">
      {SEGMENTS.map((from, index) => {
        const share = value === undefined ? 0 : Math.min(1, Math.max(0, value * SEGMENTS.length - index))
        return (
          <g key={from}>
            <rect
              x={`${from}%`}
              width={`${WIDTH}%`}
              height={height}
              rx="2.5"
              fill={value === undefined ? 'url(#texture-unknown)' : 'var(--busy-soft)'}
            />
            {share > 0 && (
              <rect x={`${from}%`} width={`${WIDTH * share}%`} height={height} rx="2.5" fill="var(--busy)" />
            )}
          </g>
        )
      })}
    </svg>
  )
}
