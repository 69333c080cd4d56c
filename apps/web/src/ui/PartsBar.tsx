import { LOOK } from './Swatch.tsx'

type Part = {
  readonly key: string
  /** Its length in the bar, 0 to 1. */
  readonly drawn: number
  readonly meaning: keyof typeof LOOK
}

/** Parts of a whole side by side, to scale, in the colors and textures of the slice bar; `words` say the same. */
export function PartsBar({ parts, words }: { readonly parts: readonly Part[]; readonly words: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn inline, so that it follows the theme
    <div role="img" aria-label={words} className="flex h-7 gap-px">
      {parts.map(
        ({ key, drawn, meaning }) =>
          drawn > 0 && (
            <svg
              key={key}
              aria-hidden
              height="28"
              style={{ width: `${drawn * 100}%` }}
              className="block min-w-0.5 shrink"
            >
              <rect
                x="0.5"
                y="0.5"
                height="27"
                rx="2"
                fill={LOOK[meaning].fill}
                stroke={LOOK[meaning].stroke}
                style={{ width: 'calc(100% - 1px)' }}
              />
            </svg>
          ),
      )}
    </div>
  )
}
