import { startTransition, useEffect, useRef, useState, useSyncExternalStore, type RefObject } from 'react'

import type { HeroScene, HeroWorkload } from './hero-player.ts'
import type { HeroOrder } from './hero-worker.ts'

type Options = HeroWorkload & { readonly opening: HeroScene['picture']; readonly mix: number }

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

/** Lets the planner play while the picture is in view, the page is not hidden and nobody paused it. */
export function useHeroPlayer({ opening, mix: openingMix, ...workload }: Options): Playing {
  const [scene, setScene] = useState<HeroScene>({ plan: 0, picture: opening, planned: undefined })
  const [mix, setMix] = useState(openingMix)
  const [choice, setPaused] = useState<boolean>()
  const still = useSyncExternalStore(onMotionChange, wantsStillness, () => false)
  const paused = choice ?? still
  const [start] = useState(workload)
  const stage = useRef<HTMLDivElement>(null)
  const seen = useSeen(stage)
  const worker = useRef<Worker>(null)
  useEffect(() => {
    const opened = new Worker(new URL('./hero-worker.ts', import.meta.url), { type: 'module' })
    opened.addEventListener('message', ({ data }: MessageEvent<HeroScene>) => startTransition(() => setScene(data)))
    worker.current = opened
    return () => opened.terminate()
  }, [])
  useEffect(() => send(worker, { kind: 'plan', workload: start, mix }), [start, mix])
  useEffect(() => send(worker, { kind: paused || !seen ? 'pause' : 'play' }), [paused, seen])
  return { scene, mix, setMix, paused, setPaused, stage }
}

function send({ current }: RefObject<Worker | null>, order: HeroOrder): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker takes no origin; only windows do
  current?.postMessage(order)
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
  const shown = useSyncExternalStore(onVisibilityChange, isVisible, () => false)
  useEffect(() => {
    const target = element.current
    if (target === null) return undefined
    const observer = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting ?? false))
    observer.observe(target)
    return () => observer.disconnect()
  }, [element])
  return inView && shown
}

const isVisible = (): boolean => document.visibilityState === 'visible'

function onVisibilityChange(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
