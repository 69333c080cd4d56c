import { wholePercent } from '@septet/domain/words'
import type { FigureView } from '@septet/contract'

import { figureInWords, intervalWords } from '@septet/contract/figure-words'

import { Hint } from './Hint.tsx'
import { windowWords } from './time-words.ts'

type Props = {
  readonly figure: FigureView
  /** What the number is, for the heading of its explanation and for assistive technology. */
  readonly name: string
  readonly size?: 'headline' | 'text'
  /** What to write where there is no value, when something truer than "Not measured" can be said. */
  readonly unknown?: string
}

/**
 * Every number on the screen: its value or "Not measured", and on hover, focus or tap its formula, window, source and
 * coverage.
 */
export function FigureText({ figure, name, size = 'text', unknown }: Props) {
  const words = figureInWords(figure)
  const value = words.known ? words.value : (unknown ?? words.value)
  return (
    <Hint content={<Explanation figure={figure} name={name} />}>
      <button
        type="button"
        aria-label={`${name}: ${value}${words.unit}${COVERED(figure)}`}
        className={`figure -mx-1 rounded-[4px] px-1 text-left transition-colors hover:bg-sunken ${LOOK[size]}`}
      >
        <span className={words.known ? '' : UNKNOWN[size]}>{value}</span>
        {words.unit !== '' && <span className={UNIT[size]}>{words.unit}</span>}
      </button>
    </Hint>
  )
}

function Explanation({ figure, name }: { readonly figure: FigureView; readonly name: string }) {
  const rows = [
    ['Is', figure.explain.formula],
    ['Over', figure.explain.window === null ? undefined : windowWords(figure.explain.window)],
    ['From', figure.explain.source],
    ['9 in 10', intervalWords(figure)],
    ['Measured', figure.coverage === null ? undefined : `${wholePercent(figure.coverage)} of the window`],
    [figure.value === null ? 'Unknown' : 'Note', figure.because ?? undefined],
  ] as const
  return (
    <div className="grid gap-1.5">
      <p className="flex items-baseline justify-between gap-4 font-medium text-ink">
        {name}
        <span className="font-normal text-ink-quiet">{QUALITY[figure.quality]}</span>
      </p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
        {rows.map(([term, text]) =>
          text === undefined ? undefined : (
            <div key={term} className="contents">
              <dt className="text-ink-quiet">{term}</dt>
              <dd className="break-words">{text}</dd>
            </div>
          ),
        )}
      </dl>
    </div>
  )
}

const COVERED = (figure: FigureView): string =>
  figure.quality === 'partial' && figure.coverage !== null ? `, ${wholePercent(figure.coverage)} measured` : ''

const LOOK = {
  headline: 'text-28 font-semibold tracking-[-0.03em] whitespace-nowrap',
  text: 'font-mono text-13 whitespace-nowrap',
} as const

const UNIT = { headline: 'text-16 font-medium tracking-normal text-ink-soft', text: 'text-ink-soft' } as const

const UNKNOWN = {
  headline: 'text-20 font-medium tracking-tight text-ink-quiet',
  text: 'font-sans text-12 text-ink-quiet',
} as const

const QUALITY = {
  measured: 'measured',
  partial: 'partly measured',
  unknown: 'not measured',
  sample: 'sample data',
  estimated: 'estimated',
} satisfies Record<FigureView['quality'], string>
