import type { Benchmark, Figure } from './benchmark.ts'
import { isRight, judgeDrawnJobs, type Judgment } from './scheduler-referee.ts'

const SEEDS = [1, 2, 3, 4, 5]
const JOBS = 200

/** Whether jobs start that were told they would, and wait that were told they would: the demo's scheduler decides. */
export const benchmark: Benchmark = {
  name: 'will-it-start-drawn',
  description: `${SEEDS.length * JOBS} generated jobs on ${SEEDS.length} demo clusters: what each was told, and what the scheduler then did.`,
  onDemand: true,
  async run() {
    const judgments: Judgment[] = []
    for (const seed of SEEDS) judgments.push(...(await judgeDrawnJobs({ seed, jobs: JOBS })))
    return figuresOf(judgments)
  },
}

function figuresOf(judgments: readonly Judgment[]): readonly Figure[] {
  const count = (verdict: string, right: boolean): number =>
    judgments.filter((each) => each.answer.verdict === verdict && isRight(each) === right).length
  return [
    jobs('told yes, and all pods started', count('now', true)),
    { ...jobs('told yes, and some did not', count('now', false)), aim: '0' },
    jobs('told no, and some waited', count('not-now', true)),
    { ...jobs('told no, and more or fewer started than was said', count('not-now', false)), aim: '0' },
    jobs('told that it is unknown', count('unknown', true)),
  ]
}

const jobs = (name: string, figure: number): Figure => ({ name, figure, unit: 'jobs', seeds: SEEDS.length })
