import { useEffect, useState, useSyncExternalStore, type RefObject } from 'react'

import { openPlayback, type Playback, type PlaybackView, type Timeline } from './playback.ts'

/**
 * Plays a timeline while its element can be seen, and lets time stand still while the tab is hidden or the element is off
 * the screen. Where the person asked for less motion nothing plays, and `still` says that all is to be shown; what plays
 * `onRequest` is paused then, until somebody lets it play.
 */
export function usePlayback<Moment>(
  timeline: Timeline<Moment>,
  element: RefObject<Element | null>,
  { onRequest = false }: { readonly onRequest?: boolean } = {},
): PlaybackView<Moment> & { readonly still: boolean; readonly playback: Playback<Moment> } {
  const [playback] = useState(() => openPlayback(timeline))
  const still = useSyncExternalStore(subscribeToMotion, prefersStill, () => false)
  const view = useSyncExternalStore(playback.subscribe, playback.view, playback.view)
  useEffect(() => {
    const target = element.current
    if ((still && !onRequest) || target === null) return undefined
    if (still) playback.pause()
    let onScreen = false
    const show = (): void => playback.show(onScreen && !document.hidden)
    const observer = new IntersectionObserver(([entry]) => {
      onScreen = entry?.isIntersecting ?? false
      show()
    })
    observer.observe(target)
    document.addEventListener('visibilitychange', show)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', show)
      playback.close()
    }
  }, [still, element, playback, onRequest])
  return { ...view, still, playback }
}

const MOTION = '(prefers-reduced-motion: reduce)'
const prefersStill = (): boolean => matchMedia(MOTION).matches

function subscribeToMotion(listener: () => void): () => void {
  const query = matchMedia(MOTION)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
