/** Gives each piece of work its turn: it begins when the one before has ended, however that ended. */
export function oneAfterTheOther(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next
    return next
  }
}
