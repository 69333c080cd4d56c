/** What plays: a pure function of time. A moment is where it stands; nothing here reads a clock. */
export type Timeline<Moment> = {
  readonly start: Moment
  /** The moment `by` milliseconds later. A held timeline plays on to where it would turn to something else, and stays. */
  readonly later: (moment: Moment, by: number, held: boolean) => Moment
  /** Milliseconds until something visible changes; undefined when nothing will. */
  readonly untilChange: (moment: Moment, held: boolean) => number | undefined
}

/** What is seen of a playback: replaced as a whole whenever something visible changes. */
export type PlaybackView<Moment> = {
  readonly moment: Moment
  /** What the person wants: false after a pause. */
  readonly playing: boolean
  /** Whether time goes on: playing, and on a screen that someone can see. */
  readonly running: boolean
}

/** How a playback learns the time: the browser's clock, or a fake one. */
export type PlaybackClock = {
  readonly now: () => number
  /** Calls once after so many milliseconds; returns how to cancel. */
  readonly after: (milliseconds: number, call: () => void) => () => void
}

/**
 * Plays a timeline: one timer at a time, set to the next visible change. What is shown follows from the time that passed,
 * not from the number of ticks, so a late timer loses nothing. It begins unseen: `show(true)` starts it.
 */
export function openPlayback<Moment>(timeline: Timeline<Moment>, clock: PlaybackClock = BROWSER) {
  const listeners = new Set<() => void>()
  let moment = timeline.start
  let since = clock.now()
  let cancel: (() => void) | undefined
  const flags = { playing: true, visible: false, held: false }
  let view: PlaybackView<Moment> = { moment, playing: true, running: false }

  const running = (): boolean => flags.playing && flags.visible

  const settle = (): void => {
    const now = clock.now()
    if (running()) moment = timeline.later(moment, Math.max(0, now - since), flags.held)
    since = now
  }

  const publish = (): void => {
    cancel?.()
    const wait = running() ? timeline.untilChange(moment, flags.held) : undefined
    cancel = wait === undefined ? undefined : clock.after(Math.max(1, Math.ceil(wait)), () => change(() => undefined))
    view = { moment, playing: flags.playing, running: running() }
    for (const listener of listeners) listener()
  }

  const change = (make: () => void): void => {
    settle()
    make()
    publish()
  }

  const set = (name: keyof typeof flags, value: boolean): void => {
    if (flags[name] !== value) change(() => (flags[name] = value))
  }

  return {
    view: () => view,
    /** Calls back on every visible change; returns how to stop that. */
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    play: () => set('playing', true),
    pause: () => set('playing', false),
    /** Goes on from another moment. */
    jump: (to: Moment) => change(() => (moment = to)),
    hold: (held: boolean) => set('held', held),
    /** Time stands still while nobody can see: a hidden tab, a section off the screen. */
    show: (visible: boolean) => set('visible', visible),
    /** Stops the timer. Showing it again goes on. */
    close: () => set('visible', false),
  }
}

export type Playback<Moment> = ReturnType<typeof openPlayback<Moment>>

const BROWSER: PlaybackClock = {
  now: () => performance.now(),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds)
    return () => clearTimeout(timer)
  },
}
