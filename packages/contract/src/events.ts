import { z } from 'zod'

import { InstantText } from './schemas/figure.ts'

/**
 * What the event stream says. Events carry no figures: they name what changed, and a client asks again. `id` grows by
 * one; after a reconnection with `Last-Event-ID` the missed ones follow, or `reset` when they are no longer kept.
 */
export const ServerEventSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('analysis'), cluster: z.string(), asOf: InstantText }),
    z.object({ kind: z.literal('recommendations'), cluster: z.string(), asOf: InstantText }),
    z.object({ kind: z.literal('alerts'), cluster: z.string(), asOf: InstantText }),
    z.object({ kind: z.literal('actions'), cluster: z.string(), asOf: InstantText }),
    z.object({ kind: z.literal('inventory'), cluster: z.string(), asOf: InstantText }),
    z.object({ kind: z.literal('connection'), cluster: z.string(), state: z.string(), asOf: InstantText }),
    z.object({ kind: z.literal('history'), cluster: z.string(), done: z.number(), of: z.number(), asOf: InstantText }),
    z.object({ kind: z.literal('agents'), asOf: InstantText }),
    z.object({ kind: z.literal('reset'), asOf: InstantText }),
  ])
  .meta({ id: 'ServerEvent' })
export type ServerEvent = z.output<typeof ServerEventSchema>
