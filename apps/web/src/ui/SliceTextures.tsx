/**
 * The textures of the meanings, once for the whole page: a slice bar refers to them by id. No meaning hangs on color
 * alone.
 */
export function SliceTextures() {
  return (
    <svg aria-hidden width="0" height="0" className="absolute">
      <defs>
        <pattern id="texture-idle" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="6" height="6" fill="var(--idle-soft)" />
          <rect width="2.25" height="6" fill="var(--idle)" />
        </pattern>
        <pattern id="texture-stranded" width="5" height="5" patternUnits="userSpaceOnUse">
          <rect width="5" height="5" fill="var(--stranded-soft)" />
          <circle cx="2.5" cy="2.5" r="1.05" fill="var(--stranded)" />
        </pattern>
        <pattern id="texture-unknown" width="8" height="4" patternUnits="userSpaceOnUse">
          <rect width="8" height="4" fill="var(--unknown-soft)" />
          <rect y="1.5" width="8" height="1" fill="var(--unknown)" opacity="0.75" />
        </pattern>
      </defs>
    </svg>
  )
}
