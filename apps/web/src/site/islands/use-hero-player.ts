import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { RefObject } from 'react'

import { HeroPlayer } from './hero-player.ts'
import type { HeroPlayerOptions, HeroScene } from './hero-player.ts'

type Options = Omit<HeroPlayerOptions, 'show'> & { readonly opening: HeroScene['picture']; readonly mix: number }

type Playing = {
  readonly scene: HeroScene
  readonly mix: number
  readonly setMix: (mix: number) => void
  /** What somebody chose; while hidden or out of view it stands still all the same. */
  readonly paused: boolean
  readonly setPaused: (paused: boolean) => void
  /** The element whose being in view counts. */
  readonly stage: RefObject<HTMLDivElement | null>
}

/** Runs the planner while the picture is in view, the page is not hidden and nobody paused it. */
export function useHeroPlayer({ opening, mix: openingMix, seed, board, voices }: Options): Playing {
  const [scene, setScene] = useState<HeroScene>({ plan: 0, picture: opening, planned: undefined })
  const [mix, setMix] = useState(openingMix)
  const [choice, setPaused] = useState<boolean>()
  const still = useSyncExternalStore(onMotionChange, wantsStillness, () => false)
  const paused = choice ?? still
  const [player] = useState(() => new HeroPlayer({ seed, board, voices, show: setScene }))
  const stage = useRef<HTMLDivElement>(null)
  const seen = useSeen(stage)
  useEffect(() => () => player.close(), [player])
  useEffect(() => player.planAnew(mix), [player, mix])
  useEffect(() => {
    if (paused || !seen) player.pause()
    else player.play()
  }, [player, paused, seen])
  return { scene, mix, setMix, paused, setPaused, stage }
}

const reducedMotion = '(prefers-reduced-motion: reduce)'
const wantsStillness = (): boolean => matchMedia(reducedMotion).matches

function onMotionChange(listener: () => void): () => void {
  const query = matchMedia(reducedMotion)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether an element is in view on a page that is not hidden. */
function useSeen(element: RefObject<Element | null>): boolean {
  const [inView, setInView] = useState(false)
  const [shown, setShown] = useState(true)
  useEffect(() => {
    const target = element.current
    if (target === null) return undefined
    const observer = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting ?? false))
    observer.observe(target)
    return () => observer.disconnect()
  }, [element])
  useEffect(() => {
    const note = (): void => setShown(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', note)
    return () => document.removeEventListener('visibilitychange', note)
  }, [])
  return inView && shown
}
