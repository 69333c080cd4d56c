import { useEffect, useRef, type RefObject } from 'react'

/** Puts the focus on a screen's own title when it replaces another, so that it is read out and tabbing starts there. */
export function useFocusHeading(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return heading
}
