import { SAVING_STATES } from '@septet/domain'
import { ACTION_CLASSES } from '@septet/domain/action-classes'
import { z } from 'zod'

import { told, ClusterInput, InstantText, PeriodInput, WindowSchema } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { EffectSchema } from './recommendations.ts'

/** An amount that was measured, and how sure that is. */
const MeasuredAmount = z
  .object({
    value: z.number(),
    low: z.number().nullable().describe('bounds of the 90% interval; null: too few days were measured before'),
    high: z.number().nullable(),
  })
  .meta({ id: 'MeasuredAmount' })

/** An estimate, scaled to the hours that were measured. */
const Promised = z
  .object({ gpuHours: z.number(), usd: z.number().nullable() })
  .nullable()
  .describe('what was estimated for the same hours, for comparison; null: no estimate')

const RealizedSchema = z.object({
  window: WindowSchema,
  basis: z
    .enum(['held', 'per-unit', 'gone'])
    .describe('held: GPU-hours held; per-unit: GPU-hours held per unit of work; gone: those of a removed node'),
  work: z
    .object({
      unit: z.string().describe('plural: tokens, requests, completions'),
      source: z.string().describe('the metric that counts it'),
      done: z.number().describe('during the known hours'),
      perGpuHour: z.object({
        before: z.number(),
        after: z.number().nullable().describe('null: it held nothing'),
      }),
    })
    .nullable()
    .describe('null: no unit of work is known, or it was stopped; GPU-hours held are compared instead'),
  gpuHours: MeasuredAmount,
  usd: MeasuredAmount.nullable().describe('null if no price was known at approval'),
  knownHours: z.number().int().describe('hours of the range that the amounts cover'),
  unknownHours: z.number().int().describe('hours not covered: not measured, or nothing to compare with'),
  promised: Promised,
})

const LedgerColumn = named('SavingsLedgerColumn', {
  realized: z
    .object({
      runs: z.number().int().describe('verified or partly verified'),
      gpuHours: MeasuredAmount,
      usd: MeasuredAmount.nullable().describe('for those with a price; null: none has one'),
      unpriced: z.number().int(),
      unknownHours: z.number().int(),
      promised: Promised,
    })
    .nullable()
    .describe('null: nothing is verified yet'),
  estimated: z
    .object({
      runs: z.number().int().describe('proposed, approved, or measured for less than a week'),
      gpuHoursPerMonth: z.number().nullable().describe('null: none has an estimate'),
      usdPerMonth: z.number().nullable(),
      unpriced: z.number().int(),
    })
    .nullable()
    .describe('null: there are none'),
})

export const savingsList = operation(ROUTES.savingsList, {
  title: 'Savings of actions',
  description:
    'What each action saved, newest first: the GPU-hours its workload or node held in the same hours of the week before approval, minus those in up to four weeks after it was applied, with a 90% interval. If its work is counted (tokens, requests, completions), the comparison is per unit of work, so slower work is not a saving. What the same work costs elsewhere since (renamed, in another namespace, moved by the action) is subtracted. No GPU-hour is counted twice. Capacity freed and bill reduced, and realized and estimated, are separate and never added up. Actions that start or move waiting work are not listed: they save no GPU-hours. With a range, amounts cover its hours only and actions measured at other times are left out; states consider all hours.',
  input: z.strictObject({ ...ClusterInput, ...PeriodInput }),
  output: named('SavingsList', {
    ...told,
    savings: z.array(
      named('ActionSaving', {
        action: z.string().describe('action ID'),
        title: z.string(),
        class: z.enum(ACTION_CLASSES),
        object: z.string(),
        appliedAt: InstantText.nullable(),
        effect: EffectSchema,
        state: z
          .enum(SAVING_STATES)
          .describe('applied: measured for less than a week; failed: not fully applied, or no more than chance'),
        because: z
          .string()
          .describe('why it is in this state, and what is not saved because the same work costs it elsewhere'),
        estimate: z
          .object({ gpuHoursPerMonth: z.number(), usdPerMonth: z.number().nullable() })
          .nullable()
          .describe('what its recommendation estimated; null: no estimate'),
        realized: RealizedSchema.nullable().describe('null: cannot be determined, which is not 0'),
        price: z
          .object({ usdPerGpuHour: z.number(), source: z.string() })
          .nullable()
          .describe('at approval; null: none was known, or it was not approved'),
      }),
    ),
    ledger: z.object({ capacityFreed: LedgerColumn, billReduced: LedgerColumn }),
  }),
})
