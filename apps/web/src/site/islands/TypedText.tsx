type Props = {
  readonly text: string
  /** Characters shown so far. */
  readonly shown: number
  /** Whether a caret stands at the end of what is shown. */
  readonly caret?: boolean
}

/**
 * Text that is typed out. All of it is in the page from the start: read aloud as one piece, and keeping its room, so that
 * nothing jumps. Without scripts, and where less motion is asked for, all of it is seen.
 */
export function TypedText({ text, shown, caret = false }: Props) {
  return (
    <>
      <span className="sr-only">{text}</span>
      <span aria-hidden>
        {text.slice(0, shown)}
        {caret && (
          <span className="relative inline-block h-[1.1em] w-0 align-text-bottom motion-reduce:hidden noscript:hidden">
            <span className="absolute top-0 left-px h-full w-[2px] bg-busy" />
          </span>
        )}
        {shown < text.length && (
          <span className={SILENT}>
            <span className={NOT_YET}>{text.slice(shown)}</span>
          </span>
        )}
      </span>
    </>
  )
}

/** Where text is still to come a quiet bar stands, so that nothing looks empty. */
const SILENT = 'rounded-[3px] bg-sunken box-decoration-clone motion-reduce:bg-transparent noscript:bg-transparent'

/** Keeps the room of what is not shown yet. Still readers and readers without scripts see it. */
export const NOT_YET = 'opacity-0 motion-reduce:opacity-100 noscript:opacity-100'
