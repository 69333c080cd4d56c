import { useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'

import { useLiveQuery } from '../client/use-answer.ts'
import { fleetPicture, type FleetPicture } from './fleet-picture.ts'
import { fleetQuery, type WholeFleet } from './fleet-query.ts'

export type FleetAnswer = { readonly answer: UseQueryResult<WholeFleet>; readonly picture: FleetPicture | undefined }

/** Every GPU of a cluster, kept up to date as other answers are. */
export function useFleet(cluster: string | undefined): FleetAnswer {
  const answer = useLiveQuery(fleetQuery(useQueryClient(), cluster))
  const { data } = answer
  const picture = useMemo(() => (data === undefined ? undefined : fleetPicture(data.frame, data.now)), [data])
  return { answer, picture }
}
