import { heroStream, ratio } from '@septet/domain'
import type { Board, HeroStream } from '@septet/domain'

import { LEAD, MINUTES_PER_TICK, OPENING, pictureOf, SPAN, TICK_MILLISECONDS } from './hero-picture.ts'
import type { HeroPicture } from './hero-picture.ts'

/** What the player tells whenever there is something new to draw. */
export type HeroScene = {
  /** Plans are numbered from 0; within one, pictures follow each other. */
  readonly plan: number
  readonly picture: HeroPicture
  /** Milliseconds that planning took on this machine; undefined until it was measured. */
  readonly planned: number | undefined
}

export type HeroWorkload = { readonly seed: number; readonly board: Board; readonly voices: number }

/** Plans the score and lets its time go by. It runs in a worker, so that planning never holds up the page. */
export class HeroPlayer {
  private readonly workload: HeroWorkload
  private readonly show: (scene: HeroScene) => void
  private stream: HeroStream | undefined
  private from = OPENING
  private plan = -1
  private planned: number | undefined
  private timer: ReturnType<typeof setInterval> | undefined

  constructor(workload: HeroWorkload, show: (scene: HeroScene) => void) {
    this.workload = workload
    this.show = show
  }

  /** Plans the whole window anew for a mix. */
  planAnew(mix: number): void {
    const begun = performance.now()
    this.stream = heroStream({ ...this.workload, mix: ratio(mix), keep: SPAN + LEAD + MINUTES_PER_TICK })
    this.from = OPENING
    const picture = pictureOf(this.stream.advance(OPENING + SPAN + LEAD), OPENING, this.workload.board)
    this.plan += 1
    this.planned = performance.now() - begun
    this.show({ plan: this.plan, picture, planned: this.planned })
  }

  play(): void {
    this.timer ??= setInterval(() => this.tick(), TICK_MILLISECONDS)
  }

  pause(): void {
    clearInterval(this.timer)
    this.timer = undefined
  }

  private tick(): void {
    if (this.stream === undefined) return
    this.from += MINUTES_PER_TICK
    const picture = pictureOf(this.stream.advance(MINUTES_PER_TICK), this.from, this.workload.board)
    this.show({ plan: this.plan, picture, planned: this.planned })
  }
}
