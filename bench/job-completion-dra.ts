import type { Benchmark } from './benchmark.ts'
import { compareUnder } from './job-completion-comparison.ts'

/** What job-completion compares, where single instances can be made and destroyed beside running ones. */
export const benchmark: Benchmark = {
  name: 'job-completion-dra',
  description:
    'Jobs from MISO (SoCC 2022) on A100-40GB at measured slice speeds, under the rule of DRA: only jobs whose own instance (profile and start) changes or is created pause for 30 s. MISO-like and septet run under this rule; whole GPUs and static layouts never repartition. Under the rule of mig-manager: job-completion.',
  async run({ input }) {
    return compareUnder('dra', input)
  },
}
