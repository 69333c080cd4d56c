import { z } from 'zod'

import { told, ClusterInput, FigureSchema } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

const STRUCTURAL = z.number().int().describe('compute slices that these profiles strand wherever they are placed')
const BY_PLACEMENT = z.number().int().describe('compute slices stranded only because of where instances are placed')
const SLICES = { structural: STRUCTURAL, byPlacement: BY_PLACEMENT }

/** A slice is stranded by all that a GPU holds, so it is told to nobody who sees only a part of the holders. */
const SLICES_OF_ALL = {
  structural: STRUCTURAL.nullable().describe('as below; null for a caller limited to namespaces'),
  byPlacement: BY_PLACEMENT.nullable().describe('as below; null for a caller limited to namespaces'),
}

/** The four numbers. There is no agreed definition of one MIG efficiency, so none is made of them. */
const FOUR = {
  coverage: FigureSchema.describe('compute slices in instances / compute slices of GPUs in MIG mode, now'),
  allocation: FigureSchema.describe('compute slices of held instances / compute slices in instances, now'),
  busy: FigureSchema.describe('Σ share × busy over held instances / Σ share of the measured ones, over the last hour'),
  fragmentation: FigureSchema.describe('1 − Σ placeable × size / Σ free memory slices, over the profiles, now'),
}

export const partitionsEfficiency = operation(ROUTES.partitionsEfficiency, {
  title: 'MIG efficiency by board',
  description:
    'How well GPUs in MIG mode are partitioned and used, as four numbers that are never blended into one: slice coverage, slice allocation, slice busy (last hour) and fragmentation, for the fleet and per GPU model; with the layouts that strand compute slices, and why. A caller limited to namespaces gets slice busy for their namespaces; the rest belongs to no namespace.',
  input: z.strictObject({ ...ClusterInput }),
  output: named('PartitionEfficiency', {
    ...told,
    fleet: z.object({
      ...FOUR,
      ...SLICES_OF_ALL,
      strandedMemory: z
        .object({ slices: z.number().int(), gpus: z.number().int().describe('number of GPUs with this layout') })
        .nullable()
        .describe(
          'memory slices that no profile can use in the current layout, as slice bars show them; not the same as stranded compute slices. null for a caller limited to namespaces',
        ),
      gpus: z.number().int().describe('ready GPUs in MIG mode'),
    }),
    boards: z.array(
      z.object({
        model: z.string(),
        gpus: z.number().int(),
        computeSlices: z.number().int().describe('over all these GPUs'),
        ...FOUR,
        ...SLICES_OF_ALL,
        profiles: z.array(
          z.object({
            profile: z.string(),
            placeable: z.number().int().describe('how many fit into memory slices that are in no instance'),
            fragmentation: FigureSchema,
          }),
        ),
      }),
    ),
    stranded: z
      .array(
        z.object({
          model: z.string(),
          slots: z.number().int().describe('memory slices of the board'),
          layout: z.array(z.object({ profile: z.string(), start: z.number().int(), size: z.number().int() })),
          gpus: z.number().int().describe('GPUs with this layout'),
          ...SLICES,
          because: z.string(),
          on: z.array(z.object({ node: z.string(), index: z.number().int() })).describe('the first of these GPUs'),
        }),
      )
      .describe('layouts that strand compute slices, most first'),
  }),
})
