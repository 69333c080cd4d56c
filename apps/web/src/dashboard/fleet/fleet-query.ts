import type { QueryFunctionContext, QueryClient } from '@tanstack/react-query'

import { ask, type Answer } from '../../api.ts'

export type WholeFleet = Answer<'fleetMap'> & { readonly frame: NonNullable<Answer<'fleetMap'>['frame']> }

/** Every GPU of a cluster. The frame, which seldom changes, is asked for once and then only when it did change. */
export const fleetQuery = (queryClient: QueryClient, cluster: string | undefined) => {
  const queryKey = ['fleetMap', { cluster }] as const
  return {
    queryKey,
    queryFn: async ({ signal }: Pick<QueryFunctionContext, 'signal'>): Promise<WholeFleet> => {
      const before = queryClient.getQueryData<WholeFleet>(queryKey)
      const fresh = await ask('fleetMap', { cluster, known: before?.revision }, signal)
      const frame = fresh.frame ?? before?.frame
      return frame === undefined ? whole(await ask('fleetMap', { cluster }, signal)) : { ...fresh, frame }
    },
    // A picture is taken as a whole: looking for what stayed equal in it costs more than it saves.
    structuralSharing: false,
  }
}

function whole({ frame, ...rest }: Answer<'fleetMap'>): WholeFleet {
  if (frame === null) throw new Error('The server left out a frame that it was not told is known.')
  return { ...rest, frame }
}
