import { readFileSync } from 'node:fs'

import { loadAllYaml } from '@kubernetes/client-node'
import { z } from 'zod'

const Manifest = z.object({
  kind: z.string(),
  metadata: z.object({ namespace: z.string().optional() }),
  rules: z
    .array(
      z.object({
        apiGroups: z.array(z.string()),
        resources: z.array(z.string()),
        verbs: z.array(z.string()),
        resourceNames: z.array(z.string()).optional(),
      }),
    )
    .optional(),
})
/** What manifests of deploy/ grant. */
export const rulesIn = (files: readonly string[]) =>
  rulesOf(
    files.flatMap((file): unknown[] =>
      loadAllYaml(readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8')),
    ),
  )

/** What manifests grant. */
export const rulesOf = (manifests: readonly unknown[]) =>
  manifests
    .map((document) => Manifest.parse(document))
    .flatMap(({ metadata: { namespace }, rules = [] }) =>
      rules.map(({ resourceNames, ...rule }) => ({
        ...rule,
        ...(namespace === undefined ? {} : { namespace }),
        ...(resourceNames === undefined ? {} : { resourceNames }),
      })),
    )
