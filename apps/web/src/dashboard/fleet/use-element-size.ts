import { useLayoutEffect, useRef, useState, type RefObject } from 'react'

import type { Size } from './map-view.ts'

/** The size of an element in pixels, kept up to date; undefined before it is known. */
export function useElementSize<E extends Element>(): readonly [RefObject<E | null>, Size | undefined] {
  const element = useRef<E>(null)
  const [size, setSize] = useState<Size>()
  useLayoutEffect(() => {
    const target = element.current
    if (target === null) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return
      const width = Math.floor(entry.contentRect.width)
      const height = Math.floor(entry.contentRect.height)
      setSize((before) => (before?.width === width && before.height === height ? before : { width, height }))
    })
    observer.observe(target)
    return () => observer.disconnect()
  }, [])
  return [element, size]
}
