import type { Answering } from '../answering/answering.ts'
import { liveEfficiency } from './partition-efficiency.ts'
import { liveRoom } from './partition-room.ts'
import { livePartitions } from './partitions.ts'
import { draftLivePlan } from './plan-drafts.ts'

/** How GPUs are cut, what fits now, and what another layout would take. */
export const partitionAnswers = (answer: Answering) => ({
  partitionsList: answer.ofCluster('partitionsList', livePartitions),
  partitionsEfficiency: answer.ofCluster('partitionsEfficiency', liveEfficiency),
  partitionsRoom: answer.ofCluster('partitionsRoom', liveRoom),
  plansDraft: answer.ofCluster('plansDraft', draftLivePlan),
})
