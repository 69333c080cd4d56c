import type { Store } from '@septet/domain'

import type { Answering } from '../answering/answering.ts'
import { planLiveAppointment } from './plan-appointments.ts'
import { liveEfficiency } from './partition-efficiency.ts'
import { liveRoom } from './partition-room.ts'
import { livePartitions } from './partitions.ts'
import { makeLivePlan } from './live-plan.ts'

/** How GPUs are cut, what fits now, what another layout would take, and GPUs for a later moment. */
export const partitionAnswers = (answer: Answering, store: Pick<Store, 'actions' | 'prices' | 'recommendations'>) => ({
  partitionsList: answer.ofCluster('partitionsList', livePartitions),
  partitionsEfficiency: answer.ofCluster('partitionsEfficiency', liveEfficiency),
  partitionsRoom: answer.ofCluster('partitionsRoom', liveRoom),
  plansDraft: answer.ofCluster('plansDraft', (facts, input, { listening }) =>
    makeLivePlan(facts, { ...store, signal: listening.signal }, input),
  ),
  appointmentsPlan: answer.ofCluster('appointmentsPlan', (facts, input, { listening }) =>
    planLiveAppointment(facts, { ...store, signal: listening.signal }, input),
  ),
})
