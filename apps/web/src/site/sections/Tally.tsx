import type { Testimonial } from '../content/testimonials.ts'

type Props = { readonly tally: NonNullable<Testimonial['tally']> }

/** One small bar for each thing there is: filled as far as the first count, light as far as the second, outlined beyond. */
export function Tally({ tally }: Props) {
  const total = tally.at(-1)?.count ?? 0
  const width = 100 / total
  return (
    <div className="mt-5">
      <svg aria-hidden width="100%" height="48" className="block">
        {Array.from({ length: total }, (_, index) => (
          <rect
            // oxlint-disable-next-line react/no-array-index-key -- bars are alike but for their place
            key={index}
            x={`${index * width}%`}
            y="0.5"
            width={`${width * 0.66}%`}
            height="47"
            rx="1.5"
            {...LOOKS[Math.min(tally.filter(({ count }) => count <= index).length, LOOKS.length - 1)]}
          />
        ))}
      </svg>
      <ul className="mt-3 flex flex-wrap gap-x-8 gap-y-1 text-13 text-ink-soft">
        {tally.map(({ count, label }, index) => (
          <li key={label} className="flex items-center gap-2">
            <svg aria-hidden width="8" height="16">
              <rect x="0.5" y="0.5" width="7" height="15" rx="1.5" {...LOOKS[Math.min(index, LOOKS.length - 1)]} />
            </svg>
            <span>
              <span className="font-mono text-ink">{count}</span> {label}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const LOOKS = [
  { fill: 'var(--busy)', stroke: 'var(--busy)' },
  { fill: 'var(--busy-soft)', stroke: 'var(--busy)' },
  { fill: 'none', stroke: 'var(--line-strong)' },
] as const
