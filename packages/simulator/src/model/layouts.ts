import type { HardwareKey } from './hardware.ts'

/** An instance to cut and its first memory slice. */
type Cut = readonly (readonly [profile: string, start: number])[]

/** `3g.40gb@0 2g.20gb@4`: profiles with their first memory slices. */
export const cutsOf = (text: string): Cut =>
  text.split(' ').map((part) => {
    const [profile = '', start] = part.split('@')
    return [profile, Number(start)]
  })

/**
 * Layouts as they come about when people cut GPUs for the need of the day: some tidy, some with compute slices that
 * nothing can use (3g + 3g), some with a 1g where it blocks the larger profiles. By compute slices; starts are memory slices.
 */
const eighths = (names: Readonly<Record<string, string>>, second = '4@0 2@4 1@6'): readonly Cut[] =>
  ['3@0 3@4', second, '3@4 1@1', '2@0 2@2 3@4', '2@2 1@0 1@5', '3@0 3@4', '2@0 2@2 2@4 1@6', '1@0 1@1 1@2 1@3 3@4'].map(
    (layout) => cutsOf(layout).map(([size, start]) => [names[size] ?? '', start]),
  )

// Nobody cut a 4g in this fleet: that is what the queue waits for.
const eighty = eighths({ 1: '1g.10gb', 2: '2g.20gb', 3: '3g.40gb' }, '3@0 2@4 1@6')

/** Mixed layouts by board. */
export const FRAGMENTED: Partial<Record<HardwareKey, readonly Cut[]>> = {
  h100: eighty,
  a100: eighty,
  h200: eighths({ 1: '1g.18gb', 2: '2g.35gb', 3: '3g.71gb', 4: '4g.71gb' }),
  'a100-40': eighths({ 1: '1g.5gb', 2: '2g.10gb', 3: '3g.20gb', 4: '4g.20gb' }),
  a30: ['2g.12gb@0 1g.6gb@2 1g.6gb@3', '1g.6gb@1 2g.12gb@2', '2g.12gb@0 2g.12gb@2'].map(cutsOf),
}

/** The profile that a node with one geometry for all its GPUs uses, by board. */
export const SINGLE: Partial<Record<HardwareKey, string>> = {
  h100: '1g.10gb',
  a100: '1g.10gb',
  h200: '1g.18gb',
  'a100-40': '3g.20gb',
}
