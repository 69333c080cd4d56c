import { heroStream, ratio, type Board, type HeroStream } from '@septet/domain'

import {
  LEAD,
  MINUTES_PER_TICK,
  OPENING,
  pictureOf,
  SPAN,
  TICK_MILLISECONDS,
  type HeroPicture,
} from './hero-picture.ts'

/** What the player tells whenever there is something new to draw. */
export type HeroScene = {
  /** Plans are numbered from 0; within one, pictures follow each other. */
  readonly plan: number
  readonly picture: HeroPicture
  /** Milliseconds that planning the window takes on this machine, the median of `TIMED`; undefined until that is known. */
  readonly planned: number | undefined
}

export type HeroWorkload = { readonly seed: number; readonly board: Board; readonly voices: number }

/** How often a window is planned to time it. The first time also pays for reading the code, so the middle one is told. */
const TIMED = 5

/** Plans the score and lets its time go by. It runs in a worker, so that planning never holds up the page. */
export class HeroPlayer {
  private readonly workload: HeroWorkload
  private readonly show: (scene: HeroScene) => void
  private stream: HeroStream | undefined
  private picture: HeroPicture | undefined
  private from = OPENING
  private plan = -1
  private planned: number | undefined
  private timer: ReturnType<typeof setInterval> | undefined
  private timing: ReturnType<typeof setTimeout> | undefined

  constructor(workload: HeroWorkload, show: (scene: HeroScene) => void) {
    this.workload = workload
    this.show = show
  }

  /** Plans the whole window anew for a mix. */
  planAnew(mix: number): void {
    clearTimeout(this.timing)
    const { stream, picture, took } = this.planWindow(mix)
    this.stream = stream
    this.from = OPENING
    this.plan += 1
    this.picture = picture
    this.tell()
    this.time(mix, [took])
  }

  private planWindow(mix: number): { stream: HeroStream; picture: HeroPicture; took: number } {
    const begun = performance.now()
    const stream = heroStream({ ...this.workload, mix: ratio(mix), keep: SPAN + LEAD + MINUTES_PER_TICK })
    const picture = pictureOf(stream.advance(OPENING + SPAN + LEAD), OPENING, this.workload.board)
    return { stream, picture, took: performance.now() - begun }
  }

  /** Plans the same window again, one task at a time, until its time is known. */
  private time(mix: number, took: readonly number[]): void {
    if (took.length < TIMED) {
      this.timing = setTimeout(() => this.time(mix, [...took, this.planWindow(mix).took]))
      return
    }
    this.planned = took.toSorted((a, b) => a - b)[(TIMED - 1) / 2]
    this.tell()
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
    this.picture = pictureOf(this.stream.advance(MINUTES_PER_TICK), this.from, this.workload.board)
    this.tell()
  }

  private tell(): void {
    if (this.picture !== undefined) this.show({ plan: this.plan, picture: this.picture, planned: this.planned })
  }
}
