import { exploreAll, FAULTS_TOGETHER, ONE_FAULT } from '../test/act/explored/cases.ts'
import { explore } from '../test/act/explored/explore.ts'
import { PLANTED_BUGS } from '../test/act/explored/planted-bugs.ts'
import type { Benchmark } from './benchmark.ts'

/** Of each case so many states are looked at. */
const MOST = 60_000

/** Every order in which what acts, a small cluster and what goes wrong can take turns, as far as it is followed. */
export const benchmark: Benchmark = {
  name: 'decide-explored',
  description:
    'Every order of events around one change, with the code that acts and a store and a cluster as values: 2 nodes, 3 pods, up to 2 actors. One dies or stands still, answers are lost, writes arrive late or twice, readings are old, someone else writes, acting is stopped, the Lease is taken. In each state it is checked that nothing was written that may not be.',
  onDemand: true,
  run: async () => {
    const cases = [...ONE_FAULT, ...FAULTS_TOGETHER.flat()]
    const found = await exploreAll(cases, MOST)
    let planted = 0
    for (const { bug, scenario, finds, isDeep = false } of Object.values(PLANTED_BUGS)) {
      // One after the other, as each fills the memory.
      // oxlint-disable-next-line no-await-in-loop
      const explored = await explore(scenario, { states: MOST, bug, isDeep })
      planted += Number(finds.test(explored.found[0]?.flaw ?? ''))
    }
    return [
      { name: 'distinct states', figure: found.states, unit: 'states', aim: 'at least 1,000,000' },
      { name: 'steps between them', figure: found.moves, unit: 'steps' },
      {
        name: 'cases followed to every end',
        figure: found.complete,
        unit: `of ${cases.length}`,
        note: `of the others ${MOST.toLocaleString('en')} states each, nearest first`,
      },
      { name: 'states in which something was wrong', figure: found.flaws.length, unit: 'states', aim: 'none' },
      { name: 'planted bugs found', figure: planted, unit: `of ${Object.keys(PLANTED_BUGS).length}`, aim: 'all' },
    ]
  },
}
