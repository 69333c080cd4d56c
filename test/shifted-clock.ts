/**
 * Loaded before a program (`node --import`): its clock, and that of its children, is ahead by so many milliseconds. Timers
 * run as they do, so that hours pass for it between two starts and not within one.
 */
const ahead = Number(process.env['TEST_CLOCK_AHEAD_MS'] ?? 0)
const real = globalThis.Date
const now = (): number => real.now() + ahead

globalThis.Date = new Proxy(real, {
  construct: (target, given: unknown[], made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
  apply: () => new real(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
