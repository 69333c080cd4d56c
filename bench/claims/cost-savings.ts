import type { Claim } from './claim.ts'
import { inAll, packingMixes } from './packing-mixes.ts'
import { recordedDay } from './recorded-day.ts'

/** "Up to 60 %" and "40–60 %": GPUs, and with equal prices money, against one workload per GPU. */
export const costSavings: Claim = {
  id: 'cost-savings',
  words: 'Up to 60% cost savings; 40-60% on average',
  needs: ['right-sizing'],
  judge: (figuresOf) => {
    const { before, gpus, overrun } = recordedDay(figuresOf('right-sizing'))
    const mixes = packingMixes()
    const all = inAll(mixes)
    const day = saved(before, gpus.figure)
    const made = saved(all.whole, all.planned)
    const above = mixes.filter(({ whole, planned }) => saved(whole, planned) >= 60)
    const reached = above.length > 0 && inRange(day) && inRange(made)
    return {
      kind: reached ? 'measured' : 'not-reached',
      says:
        `On a recorded day of ${before} inference pods, ${Math.round(gpus.figure)} GPUs do the work of ${before}: ${day.toFixed(1)}% fewer, with ` +
        `${overrun.figure} pods outgrowing their size. On 45 generated lists of MIG workloads, it is ${made.toFixed(1)}% fewer, and ` +
        `60% or more on ${above.length} of the ${mixes.length} mixes (${above.map(({ mix }) => mix).join(', ') || 'none'}).`,
      saysNot:
        'The comparison is with one workload per whole GPU, at one price per GPU. It promises nothing for a fleet that already shares its GPUs, and a bill falls only when nodes are removed. The recorded day counts only memory; sizes below a pod’s past peak were accepted there.',
      figures: [
        {
          name: 'GPUs for the pods of the recorded day',
          figure: gpus.figure,
          unit: 'GPUs',
          baseline: { name: 'one pod per GPU', figure: before },
          ...(gpus.note === undefined ? {} : { note: gpus.note }),
        },
        overrun,
        {
          name: 'GPUs for 45 generated lists, proven fewest',
          figure: all.planned,
          unit: 'GPUs',
          baseline: { name: 'one workload per GPU', figure: all.whole },
        },
        ...mixes.map(({ mix, whole, planned }) => ({
          name: `saved on the mix ${mix}`,
          figure: saved(whole, planned),
          unit: '%',
        })),
      ],
      input: 'gentd26-2026; mig-packing-instances',
      sources: ['GenTD26, Lin et al., SoCC 2025', 'packing lists with proven optima, seeded'],
    }
  },
}

const inRange = (percent: number): boolean => percent >= 40 && percent <= 60

const saved = (before: number, after: number): number => 100 * (1 - after / before)
