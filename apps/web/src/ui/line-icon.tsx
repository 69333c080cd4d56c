import type { ReactNode } from 'react'

/** A 16-pixel line icon; decoration only, the words stand beside it or on the button. */
export const lineIcon = (drawing: ReactNode) =>
  function Icon() {
    return (
      <svg
        aria-hidden
        width="16"
        height="16"
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="shrink-0"
      >
        {drawing}
      </svg>
    )
  }
