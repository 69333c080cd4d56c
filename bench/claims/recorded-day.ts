import type { Figure } from '../benchmark.ts'

/** Pods of the recorded day, each with a GPU of its own, and the GPUs that their sizes need. */
export type RecordedDay = { readonly before: number; readonly gpus: Figure; readonly overrun: Figure }

/** Ours at the accepted chance that was chosen in the past, from the figures of right-sizing. */
export function recordedDay(figures: readonly Figure[]): RecordedDay {
  const gpus = figures.find(({ name }) => OURS.test(name) && name.endsWith(': GPUs'))
  const overrun = figures.find(({ name }) => OURS.test(name) && name.endsWith(': pods overrun'))
  const before = Number(/of (\d+) pods/u.exec(overrun?.unit ?? '')?.[1])
  if (gpus === undefined || overrun === undefined || !Number.isInteger(before)) {
    throw new Error(`right-sizing gives no figures of ours among: ${figures.map(({ name }) => name).join('; ')}`)
  }
  return { before, gpus, overrun }
}

const OURS = /^Septet, .* accepted as chosen in the past/u
