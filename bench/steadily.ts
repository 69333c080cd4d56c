import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Asks so many times a second, for so many seconds, whether or not the answers before have come. Milliseconds of each that
 * was answered, from when it was due: one that had to wait for its turn was slow too. Undefined for each that was refused or
 * that nobody answered.
 */
export async function steadily(
  perSecond: number,
  seconds: number,
  ask: (turn: number) => Promise<boolean>,
): Promise<(number | undefined)[]> {
  const began = performance.now()
  const asked: Promise<number | undefined>[] = []
  for (let turn = 0; turn < perSecond * seconds; turn += 1) {
    const due = began + (turn * 1000) / perSecond
    await sleep(Math.max(0, due - performance.now()))
    asked.push(
      ask(turn).then(
        (answered) => (answered ? performance.now() - due : undefined),
        () => undefined,
      ),
    )
  }
  return Promise.all(asked)
}
