import type { Claim } from './claim.ts'
import { inAll, packingMixes } from './packing-mixes.ts'
import { recordedDay } from './recorded-day.ts'

const WORDS = 3

/** "Up to 3x utilization": the same work on fewer GPUs keeps each of them busier by as much. */
export const utilization: Claim = {
  id: 'utilization',
  words: 'Up to 3x GPU utilization',
  needs: ['right-sizing'],
  judge: (figuresOf) => {
    const { before, gpus } = recordedDay(figuresOf('right-sizing'))
    const mixes = packingMixes()
    const all = inAll(mixes)
    const day = before / gpus.figure
    const best = mixes.toSorted((a, b) => b.whole / b.planned - a.whole / a.planned)[0]
    const most = best === undefined ? Number.NaN : best.whole / best.planned
    return {
      kind: day >= WORDS ? 'measured' : 'not-reached',
      says:
        `On a recorded day of inference pods, the same work keeps a GPU ${day.toFixed(2)} times as busy; it did not reach 3x. On generated lists ` +
        `of MIG workloads, it is ${(all.whole / all.planned).toFixed(2)} times on average and up to ${most.toFixed(2)} (mix ${best?.mix ?? ''}).`,
      saysNot:
        'This is the ratio of GPUs before and after, for the same work: it does not count that a slice may slow a job down.',
      figures: [
        { name: 'busy per GPU on the recorded day, times', figure: day, unit: 'x', aim: `${WORDS}x` },
        ...mixes.map(({ mix, whole, planned }) => ({
          name: `busy per GPU on the mix ${mix}, times`,
          figure: whole / planned,
          unit: 'x',
        })),
      ],
      input: 'gentd26-2026; mig-packing-instances',
      sources: ['GenTD26, Lin et al., SoCC 2025', 'packing lists with proven optima, seeded'],
    }
  },
}
