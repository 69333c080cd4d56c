import type { Benchmark, Figure } from './benchmark.ts'
import { compareUnder } from './job-completion-comparison.ts'
import { readJobInputs, type JobInputs } from './job-completion-inputs.ts'
import { splitThroughput } from './jobs/split-throughput.ts'

/** Jobs on MIG GPUs whose speed depends on the profile: ours against whole GPUs, the best static layouts and MISO's rules. */
export const benchmark: Benchmark = {
  name: 'job-completion',
  description:
    'Jobs from MISO (SoCC 2022) on A100-40GB at measured slice speeds, under the rule of mig-manager (as in MISO): a repartition stops all jobs on that GPU for 30 s, a move only the moved job. septet does not know durations. Under the rule of DRA: job-completion-dra.',
  async run({ input }) {
    return [...splitFigures(readJobInputs(input)), ...compareUnder('mig-manager', input)]
  },
}

/** What an even split of one GPU gives in sum, from the speed table alone. */
const splitFigures = ({ menu, speeds }: JobInputs): Figure[] =>
  splitThroughput(menu, speeds.byKind).map(({ profile, instances, kinds, mean, least, most }) => ({
    name: `throughput of ${instances} × ${profile} with one equal job each, over one such job on the whole GPU`,
    figure: mean,
    unit: 'x',
    note: `${least.toFixed(2)} to ${most.toFixed(2)} over the ${kinds} of ${speeds.byKind.size} measured kinds that fit`,
  }))
