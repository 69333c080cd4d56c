import { z } from 'zod'

import { InstantText } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

export const aboutGet = operation(ROUTES.aboutGet, {
  title: 'About this Septet',
  description: 'Version, runtime, database, uptime and how much is stored.',
  input: z.strictObject({}),
  output: named('About', {
    version: z.string(),
    node: z.string().nullable().describe('Node.js version; this and everything below is null for visitors'),
    platform: z.string().nullable(),
    startedAt: InstantText.nullable(),
    database: z
      .object({
        kind: z.enum(['embedded', 'external']),
        version: z.string().nullable(),
        bytes: z.number().int().nullable(),
      })
      .nullable(),
    dataDirBytes: z.number().int().nullable().describe('null until it has been counted'),
    memoryBytes: z.number().int().nullable().describe('resident memory of the server process'),
  }),
})
