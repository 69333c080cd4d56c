import type { Store } from '@septet/domain'

import type { AnswersOf } from '../answering/answering.ts'
import { planLiveAppointment } from './plan-appointments.ts'
import { liveEfficiency } from './partition-efficiency.ts'
import { liveRoom } from './partition-room.ts'
import { livePartitions } from './partitions.ts'
import { makeLivePlan } from './live-plan.ts'

type Needs = { readonly store: Pick<Store, 'actions' | 'prices' | 'recommendations'> }

/** How GPUs are cut, what fits now, what another layout would take, and GPUs for a later moment. */
export const partitionAnswers = ({ store }: Needs): AnswersOf<'partitions' | 'plans' | 'appointmentsPlan'> => ({
  partitionsList: livePartitions,
  partitionsEfficiency: liveEfficiency,
  partitionsRoom: liveRoom,
  plansDraft: (facts, input, { listening: { signal } }) => makeLivePlan(facts, { ...store, signal }, input),
  appointmentsPlan: (facts, input, { listening: { signal } }) =>
    planLiveAppointment(facts, { ...store, signal }, input),
})
