import type { AnswersOf } from '../answering/answering.ts'
import { liveEfficiency } from './partition-efficiency.ts'
import { liveRoom } from './partition-room.ts'
import { livePartitions } from './partitions.ts'

/** How GPUs are cut, and what fits now. */
export const partitionAnswers = (): AnswersOf<'partitions'> => ({
  partitionsList: livePartitions,
  partitionsEfficiency: liveEfficiency,
  partitionsRoom: liveRoom,
})
