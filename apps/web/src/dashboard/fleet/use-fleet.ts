import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'

import { ask, isNotReady } from '../../api.ts'
import type { Answer } from '../../api.ts'
import { useLive } from '../live-context.ts'
import { clusterOf } from '../use-answer.ts'
import { fleetPicture, type FleetPicture } from './fleet-picture.ts'

type Whole = Answer<'fleetMap'> & { readonly frame: NonNullable<Answer<'fleetMap'>['frame']> }

const POLL = 30_000
const SOON = 3_000

export type Fleet = { readonly answer: UseQueryResult<Whole>; readonly picture: FleetPicture | undefined }

/**
 * Every GPU of a cluster, kept up to date as other answers are. The frame, which seldom changes, is asked for once and
 * then only when it did change.
 */
export function useFleet(cluster: string | undefined): Fleet {
  const queryClient = useQueryClient()
  const { connection, paused, closed } = useLive()
  const still = paused || closed
  const queryKey = ['fleetMap', { cluster }] as const
  const answer = useQuery<Whole>({
    queryKey,
    queryFn: async ({ signal }) => {
      const before = queryClient.getQueryData<Whole>(queryKey)
      const fresh = await ask('fleetMap', { cluster, known: before?.revision }, signal)
      const frame = fresh.frame ?? before?.frame
      return frame === undefined ? whole(await ask('fleetMap', { cluster }, signal)) : { ...fresh, frame }
    },
    // A picture is taken as a whole: looking for what stayed equal in it costs more than it saves.
    structuralSharing: false,
    placeholderData: (before, query) => (clusterOf(query?.queryKey[1]) === cluster ? before : undefined),
    refetchOnWindowFocus: !still,
    refetchOnReconnect: !still,
    refetchInterval: ({ state: { error } }) => {
      if (isNotReady(error)) return SOON
      return still || connection === 'connected' ? false : POLL
    },
  })
  const { data } = answer
  const picture = useMemo(() => (data === undefined ? undefined : fleetPicture(data.frame, data.now)), [data])
  return { answer, picture }
}

function whole({ frame, ...rest }: Answer<'fleetMap'>): Whole {
  if (frame === null) throw new Error('The server left out a frame that it was not told is known.')
  return { ...rest, frame }
}
