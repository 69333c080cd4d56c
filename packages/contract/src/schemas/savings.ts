import { ACTION_CLASSES, SAVING_EFFECTS, SAVING_STATES } from '@septet/domain'
import { z } from 'zod'

import { answered, ClusterInput, InstantText, PeriodInput, WindowSchema } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

/** An amount that was measured, and how sure that is. */
const MeasuredAmount = z
  .object({
    value: z.number(),
    low: z.number().nullable().describe('of the 90 % interval; null, as high: too few days were measured before'),
    high: z.number().nullable(),
  })
  .meta({ id: 'MeasuredAmount' })

/** An estimate, scaled to the hours that were measured. */
const Promised = z
  .object({ gpuHours: z.number(), usd: z.number().nullable() })
  .nullable()
  .describe('what was estimated for the same hours, to be read beside it; null: there was no estimate')

const RealisedSchema = z.object({
  window: WindowSchema,
  basis: z
    .enum(['held', 'per-unit', 'gone'])
    .describe('held: GPU-hours held; per-unit: held for each unit of work; gone: those of a node that is gone'),
  work: z
    .object({
      unit: z.string().describe('in the plural: tokens, requests, completions'),
      source: z.string().describe('the metric that counts it'),
      done: z.number().describe('in the known hours'),
      perGpuHour: z.object({
        before: z.number(),
        after: z.number().nullable().describe('null: it held nothing'),
      }),
    })
    .nullable()
    .describe('null: no unit of work is known, or it was stopped; then GPU-hours that were held are compared'),
  gpuHours: MeasuredAmount,
  usd: MeasuredAmount.nullable().describe('null when no price was known at the approval'),
  knownHours: z.number().int().describe('hours of the window that are in the amounts'),
  unknownHours: z.number().int().describe('hours that are in nothing: not measured, or nothing to compare with'),
  promised: Promised,
})

const LedgerColumn = named('SavingsLedgerColumn', {
  realised: z
    .object({
      runs: z.number().int().describe('verified or partly verified'),
      gpuHours: MeasuredAmount,
      usd: MeasuredAmount.nullable().describe('of those with a price; null: none has one'),
      unpriced: z.number().int(),
      unknownHours: z.number().int(),
      promised: Promised,
    })
    .nullable()
    .describe('null: nothing is verified yet'),
  estimated: z
    .object({
      runs: z.number().int().describe('proposed, approved, or measured for less than a week'),
      gpuHoursPerMonth: z.number().nullable().describe('null: none of them has an estimate'),
      usdPerMonth: z.number().nullable(),
      unpriced: z.number().int(),
    })
    .nullable()
    .describe('null: there is none of these'),
})

export const savingsList = operation(ROUTES.savingsList, {
  title: 'Savings of actions',
  description:
    'What each action saved, newest first: the GPU-hours that its workload or node held in the same hours of the week before its approval, less those of up to four weeks after it was applied, with a 90 % interval. Where its work is counted (tokens, requests, completions), it is compared by unit of work, so that slower work is no saving. No GPU-hour is counted twice. Capacity freed and bill reduced, realised and estimated stand apart and are never added. Actions that start or move waiting work are not listed: they save no GPU-hours. Of a range amounts are of the hours in it, and actions that were measured at other times only are left out; states are told by all hours.',
  input: z.strictObject({ ...ClusterInput, ...PeriodInput }),
  output: named('SavingsList', {
    ...answered,
    savings: z.array(
      named('ActionSaving', {
        action: z.string().describe('id of the action'),
        title: z.string(),
        class: z.enum(ACTION_CLASSES),
        object: z.string(),
        appliedAt: InstantText.nullable(),
        effect: z
          .enum(SAVING_EFFECTS)
          .describe('a bill falls only when a node goes; else capacity is freed for other work'),
        state: z
          .enum(SAVING_STATES)
          .describe('applied: not measured for a week yet; failed: not applied in full, or no more than chance'),
        because: z.string().describe('why it is in this state, one sentence'),
        estimate: z
          .object({ gpuHoursPerMonth: z.number(), usdPerMonth: z.number().nullable() })
          .nullable()
          .describe('what its recommendation promised; null: no number'),
        realised: RealisedSchema.nullable().describe('null: cannot be told, and not 0'),
        price: z
          .object({ usdPerGpuHour: z.number(), source: z.string() })
          .nullable()
          .describe('at the approval; null: none was known, or it was not approved'),
      }),
    ),
    ledger: z.object({ capacityFreed: LedgerColumn, billReduced: LedgerColumn }),
  }),
})
