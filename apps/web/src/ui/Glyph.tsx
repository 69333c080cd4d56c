type Props = {
  readonly path: string
  /** Width and height of the field that it is drawn on, and its size in pixels. */
  readonly box: number
}

/** A line drawing of one path; decoration, the words stand beside it. */
export function Glyph({ path, box }: Props) {
  return (
    <svg
      aria-hidden
      width={box}
      height={box}
      viewBox={`0 0 ${box} ${box}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="block shrink-0"
    >
      <path d={path} />
    </svg>
  )
}
