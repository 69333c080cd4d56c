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
    .describe('faults you can inject; empty if no demo cluster is running'),
})

export const demoFaultsList = operation(ROUTES.demoFaultsList, {
  title: 'Faults of the demo cluster',
  description: 'Faults that are injected in the demo cluster now, and faults you can inject.',
  input: z.strictObject({}),
  output: FaultList,
})

export const demoFaultsAdd = operation(ROUTES.demoFaultsAdd, {
  title: 'Inject a fault in the demo cluster',
  description: 'For the demo cluster only: watch how Septet behaves when a change fails.',
  input: z.strictObject({ kind: z.string().min(1).max(60), ...Detail }),
  output: FaultList,
})

export const demoFaultsRemove = operation(ROUTES.demoFaultsRemove, {
  title: 'Clear a fault in the demo cluster',
  description: 'Ends an injected fault.',
  input: z.strictObject({ id: z.string().min(1).max(60) }),
  output: FaultList,
})
