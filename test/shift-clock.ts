/** From now on the clock of this program is ahead by so many milliseconds as are told whenever it is read. Timers run as they do. */
export function shiftClock(aheadMs: () => number): void {
  const real = globalThis.Date
  const now = (): number => real.now() + aheadMs()
  globalThis.Date = new Proxy(real, {
    construct: (target, given: unknown[], made) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, made),
    apply: () => new real(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
}
