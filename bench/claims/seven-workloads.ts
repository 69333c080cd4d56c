import { BOARDS, placeableTogether, profileOf } from '@septet/domain'

import { type Claim, figureNamed } from './claim.ts'

const THROUGHPUT = 'throughput of 7 × 1g.5gb with one equal job each, over one such job on the whole GPU'

/** "7x": how many isolated workloads a GPU takes, which is not how much faster it gets. */
export const sevenWorkloads: Claim = {
  id: 'seven-workloads',
  words: '7x workloads per GPU',
  needs: ['job-completion'],
  judge: (figuresOf) => {
    const throughput = figureNamed(figuresOf('job-completion'), THROUGHPUT)
    const counts = BOARDS.flatMap((board) => {
      const smallest = board.profiles.toSorted((a, b) => a.computeSlices - b.computeSlices || a.size - b.size)[0]
      const profile = smallest === undefined ? undefined : profileOf(board, smallest.name)
      return profile === undefined ? [] : { board: board.key, count: placeableTogether(board, [], profile) }
    })
    const seven = counts.filter(({ count }) => count === 7)
    return {
      kind: 'measured',
      says:
        `A GPU runs seven isolated workloads: seven instances of the smallest MIG profile fit at once on ${seven.length} of the ` +
        `${counts.length} boards with known placements. Together they did ${throughput.figure.toFixed(2)} times the work of one ` +
        `such job on the whole GPU (${throughput.note ?? ''}).`,
      saysNot:
        'It does not mean seven times the throughput or the utilization. Boards with four compute slices take four.',
      figures: [
        {
          name: 'smallest instances on one GPU',
          figure: 7,
          unit: 'instances',
          baseline: { name: 'whole GPU', figure: 1 },
        },
        throughput,
      ],
      input: 'the boards’ placement tables; miso-a100-2022/mig_iteration_time.csv',
      sources: [
        'NVIDIA MIG User Guide, placements per board',
        'MISO measurement logs, Li et al., SoCC 2022 (A100-40GB)',
      ],
    }
  },
}
