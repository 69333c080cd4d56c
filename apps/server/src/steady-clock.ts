/** Milliseconds that only go forward, the same in every thread and process of this machine. */
export const steadyNow = (): number => Number(process.hrtime.bigint() / 1_000_000n)
