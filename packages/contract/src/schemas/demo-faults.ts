import { z } from 'zod'

import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

const Detail = {
  node: z.string().max(253).optional(),
  pod: z.string().max(320).optional(),
  resource: z.string().max(100).optional(),
  times: z.number().int().min(1).max(1000).optional(),
  seconds: z.number().min(1).max(3600).optional(),
}

const FaultList = named('DemoFaults', {
  active: z.array(z.object({ id: z.string(), kind: z.string(), ...Detail })),
  kinds: z
    .array(z.object({ kind: z.string(), says: z.string(), takes: z.array(z.string()) }))
    .describe('what can be made to go wrong; empty where no demo cluster runs'),
})

export const demoFaultsList = operation(ROUTES.demoFaultsList, {
  title: 'Faults of the demo cluster',
  description: 'What goes wrong in the demo cluster now because somebody wanted it, and what can be made to.',
  input: z.strictObject({}),
  output: FaultList,
})

export const demoFaultsAdd = operation(ROUTES.demoFaultsAdd, {
  title: 'Make something go wrong in the demo cluster',
  description: 'The demo cluster alone: how Septet behaves when a change fails can be watched there.',
  input: z.strictObject({ kind: z.string().min(1).max(60), ...Detail }),
  output: FaultList,
})

export const demoFaultsRemove = operation(ROUTES.demoFaultsRemove, {
  title: 'Take a fault of the demo cluster away',
  description: 'Ends a fault that was wanted before.',
  input: z.strictObject({ id: z.string().min(1).max(60) }),
  output: FaultList,
})
