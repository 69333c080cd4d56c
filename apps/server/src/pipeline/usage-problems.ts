import { timeText, type Problem } from '@septet/domain'
import { duration, plural } from '@septet/domain/words'

import type { RunState } from '../repeat.ts'
import { floorTo } from '../usage/segments.ts'

/** So many nodes are named. */
const MOST_NAMED = 3

/** That the clock went back over hours that were closed. */
export const wentBack = ({ from, to }: { readonly from: number; readonly to: number }): Problem => ({
  code: 'clock-went-back',
  message: `The clock went back by ${duration((to - from) / 1000)}, over hours that were already closed. They are closed again as they pass, and none counts twice. Synchronize the clock of this server.`,
  object: 'clock',
})

/** That a metrics engine tells of other GPUs and not of these, which are there; by GPU, with its node. */
export function untoldGpus(nodeOf: ReadonlyMap<string, string>): Problem {
  const nodes = [...new Set(nodeOf.values())].toSorted()
  const more = nodes.length - MOST_NAMED
  const named = [...nodes.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ')
  return {
    code: 'gpus-not-reported',
    message: `The metrics engine does not report ${plural(nodeOf.size, 'GPU')} of ${plural(nodes.length, 'node')} (${named}). The hours in which Septet did not see them stay not observed; all others are complete. Check that their exporters run and are scraped.`,
    object: 'history',
  }
}

/** That what was measured is not in the database; nothing to tell while writing goes well. */
export function notSaved({ failures, okAt, since }: RunState): readonly Problem[] {
  if (failures === 0) return []
  return [
    {
      code: 'usage-not-saved',
      message: `The database has not saved what was measured since ${timeText(floorTo(okAt ?? since, 60))}. Septet keeps it in memory and saves it when the database responds; a restart before then loses it. See Settings → Status.`,
      object: 'database',
    },
  ]
}
