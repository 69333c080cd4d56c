import { useLayoutEffect, useRef, useState, type RefObject } from 'react'

/** The width of an element in pixels, kept up to date; undefined before it is known. */
export function useWidth<E extends Element>(): readonly [RefObject<E | null>, number | undefined] {
  const element = useRef<E>(null)
  const [width, setWidth] = useState<number>()
  useLayoutEffect(() => {
    const target = element.current
    if (target === null) return undefined
    setWidth(Math.floor(target.getBoundingClientRect().width))
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.floor(entry.contentRect.width))
    })
    observer.observe(target)
    return () => observer.disconnect()
  }, [])
  return [element, width]
}
