import { heroStream, ratio } from '@septet/domain'
import type { Board, HeroFrame, HeroStream } from '@septet/domain'

import { LEAD, OPENING, pictureOf, SPAN } from './hero-picture.ts'
import type { HeroPicture } from './hero-picture.ts'

/** What the player tells whenever there is something new to draw. */
export type HeroScene = {
  /** Plans are numbered from 0; within one, pictures follow each other. */
  readonly plan: number
  readonly picture: HeroPicture
  /** Milliseconds of script that planning took on this machine; undefined until it was measured. */
  readonly planned: number | undefined
}

export type HeroPlayerOptions = {
  readonly seed: number
  readonly board: Board
  readonly voices: number
  readonly show: (scene: HeroScene) => void
}

/** Minutes of the score in a second, and how often the picture is brought up to date. */
export const MINUTES_PER_TICK = 2
export const TICK_MILLISECONDS = 1000

/** Runs the planner in slices that leave each frame time to be drawn. */
export class HeroPlayer {
  private readonly options: HeroPlayerOptions
  private stream: HeroStream | undefined
  private from = OPENING
  private plan = -1
  private planned: number | undefined
  private timer: ReturnType<typeof setInterval> | undefined

  constructor(options: HeroPlayerOptions) {
    this.options = options
  }

  /** Plans the whole window anew for a mix; the picture changes when that is done. */
  planAnew(mix: number): void {
    this.plan += 1
    this.stream = undefined
    const { seed, board, voices } = this.options
    const stream = heroStream({ seed, board, voices, mix: ratio(mix), keep: SPAN + LEAD + MINUTES_PER_TICK })
    this.continuePlan(this.plan, { stream, frame: stream.advance(0), spent: 0 })
  }

  /** Lets time go by. */
  play(): void {
    this.timer ??= setInterval(() => this.tick(), TICK_MILLISECONDS)
  }

  pause(): void {
    clearInterval(this.timer)
    this.timer = undefined
  }

  /** Ends everything; what is still being planned is never shown. */
  close(): void {
    this.pause()
    this.plan += 1
  }

  /** One slice of a plan, then the next frame's; what it comes to has a frame of its own. */
  private continuePlan(plan: number, { stream, frame, spent }: Unfinished): void {
    if (plan !== this.plan) return
    const begun = performance.now()
    let reached = frame
    while (reached.at < PLANNED_UNTIL && performance.now() - begun < SLICE_MILLISECONDS) {
      reached = stream.advance(STEP_MINUTES)
    }
    const next = { stream, frame: reached, spent: spent + performance.now() - begun }
    requestAnimationFrame(() => {
      if (reached.at < PLANNED_UNTIL) this.continuePlan(plan, next)
      else this.endPlan(plan, next)
    })
  }

  private endPlan(plan: number, { stream, frame, spent }: Unfinished): void {
    if (plan !== this.plan) return
    const begun = performance.now()
    const picture = pictureOf(frame, OPENING, this.options.board)
    this.stream = stream
    this.from = OPENING
    this.planned = spent + performance.now() - begun
    this.options.show({ plan, picture, planned: this.planned })
  }

  private tick(): void {
    if (this.stream === undefined) return
    this.from += MINUTES_PER_TICK
    const picture = pictureOf(this.stream.advance(MINUTES_PER_TICK), this.from, this.options.board)
    this.options.show({ plan: this.plan, picture, planned: this.planned })
  }
}

type Unfinished = { readonly stream: HeroStream; readonly frame: HeroFrame; readonly spent: number }

const PLANNED_UNTIL = OPENING + SPAN + LEAD
const STEP_MINUTES = 6
// Of the 16 a frame has; a page that scrolls or types needs the rest.
const SLICE_MILLISECONDS = 5
