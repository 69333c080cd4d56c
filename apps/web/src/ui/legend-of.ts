import type { GpuView } from '@septet/contract'

import { placementWords, type Meaning } from './slice-words.ts'

const ORDER = ['busy', 'idle', 'free', 'uncut', 'stranded', 'unknown', 'others'] as const satisfies readonly Meaning[]

/** What occurs on these bars, in a fixed order: a legend explains what is there and no more. */
export function legendOf(gpus: readonly GpuView[]): { readonly shown: readonly Meaning[]; readonly inferred: boolean } {
  const present = new Set(gpus.flatMap(({ blocks }) => blocks.map(({ kind }) => kind)))
  return {
    shown: ORDER.filter((meaning) => present.has(meaning)),
    inferred: gpus.some((gpu) => placementWords(gpu) !== undefined),
  }
}
