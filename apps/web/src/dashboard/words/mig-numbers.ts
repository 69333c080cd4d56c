import type { Answer } from '../../api.ts'

type Key = keyof Answer<'summaryGet'>['mig'] & keyof Answer<'partitionsEfficiency'>['fleet']

/** The four numbers that say how well MIG is used; they are not one number, so none is made of them. */
export const MIG_NUMBERS = [
  { key: 'coverage', name: 'Slice coverage', words: 'of compute slices are in MIG instances' },
  { key: 'allocation', name: 'Slice allocation', words: 'of those are held by workloads' },
  { key: 'busy', name: 'Slice busy', words: 'of those were busy' },
  { key: 'fragmentation', name: 'Fragmentation', words: 'of free slices fit no profile, averaged over profiles' },
] as const satisfies readonly { readonly key: Key; readonly name: string; readonly words: string }[]
