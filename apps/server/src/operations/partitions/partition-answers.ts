import { OPERATIONS } from '@septet/contract'

import type { ClusterFacts } from '../../facts.ts'
import { Refusal } from '@septet/contract'
import type { Answering } from '../answering/answering.ts'
import { liveEfficiency } from './partition-efficiency.ts'
import { liveRoom } from './partition-room.ts'
import { livePartitions } from './partitions.ts'
import { draftLivePlan } from './plan-drafts.ts'
import { sampleEfficiency, samplePartitions } from '../sample/sample-partitions.ts'
import { chooseCluster } from '../answering/source.ts'
import type { VisibleFacts } from '../answering/visible-facts.ts'

/** How GPUs are cut, what fits now, and what another layout would take. */
export const partitionAnswers = (answer: Answering) => ({
  partitionsList: answer(OPERATIONS.partitionsList, (input, { seen }) => {
    const live = chooseCluster(seen, input.cluster)
    return live === undefined ? samplePartitions(input) : livePartitions(live, input)
  }),
  partitionsEfficiency: answer(OPERATIONS.partitionsEfficiency, ({ cluster }, { seen }) => {
    const live = chooseCluster(seen, cluster)
    return live === undefined ? sampleEfficiency() : liveEfficiency(live)
  }),
  partitionsRoom: answer(OPERATIONS.partitionsRoom, (input, { seen }) =>
    liveRoom(needLive(seen, input.cluster), input),
  ),
  plansDraft: answer(OPERATIONS.plansDraft, (input, { seen }) => draftLivePlan(needLive(seen, input.cluster), input)),
})

function needLive(seen: VisibleFacts, id: string | undefined): ClusterFacts {
  const live = chooseCluster(seen, id)
  if (live !== undefined) return live
  throw new Refusal(
    'not-found',
    'Sample data are fixed figures: there are no GPUs behind them to place a profile on or to plan for.',
    'Choose a cluster or the demo cluster; /api/v1/clusters lists them.',
  )
}
