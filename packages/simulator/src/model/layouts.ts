import type { HardwareKey } from './hardware.ts'

type Cut = readonly (readonly [profile: string, start: number])[]

/**
 * Layouts as they come about when people cut GPUs for the need of the day: some tidy, some with compute slices that
 * nothing can use (3g + 3g), some with a 1g where it blocks the larger profiles. Starts are memory slices.
 */
const eighths = (names: { one: string; two: string; three: string; four: string }): readonly Cut[] => [
  [
    [names.three, 0],
    [names.three, 4],
  ],
  [
    [names.four, 0],
    [names.two, 4],
    [names.one, 6],
  ],
  [
    [names.three, 4],
    [names.one, 1],
  ],
  [
    [names.two, 0],
    [names.two, 2],
    [names.three, 4],
  ],
  [
    [names.two, 2],
    [names.one, 0],
    [names.one, 5],
  ],
  [
    [names.three, 0],
    [names.three, 4],
  ],
  [
    [names.two, 0],
    [names.two, 2],
    [names.two, 4],
    [names.one, 6],
  ],
  [
    [names.one, 0],
    [names.one, 1],
    [names.one, 2],
    [names.one, 3],
    [names.three, 4],
  ],
]

const eighty = eighths({ one: '1g.10gb', two: '2g.20gb', three: '3g.40gb', four: '4g.40gb' }).map((layout) =>
  // Nobody cut a 4g in this fleet: that is what the queue waits for.
  layout.some(([name]) => name === '4g.40gb')
    ? ([
        ['3g.40gb', 0],
        ['2g.20gb', 4],
        ['1g.10gb', 6],
      ] as const)
    : layout,
)

/** Mixed layouts by board. */
export const FRAGMENTED: Partial<Record<HardwareKey, readonly Cut[]>> = {
  h100: eighty,
  a100: eighty,
  h200: eighths({ one: '1g.18gb', two: '2g.35gb', three: '3g.71gb', four: '4g.71gb' }),
  'a100-40': eighths({ one: '1g.5gb', two: '2g.10gb', three: '3g.20gb', four: '4g.20gb' }),
  a30: [
    [
      ['2g.12gb', 0],
      ['1g.6gb', 2],
      ['1g.6gb', 3],
    ],
    [
      ['1g.6gb', 1],
      ['2g.12gb', 2],
    ],
    [
      ['2g.12gb', 0],
      ['2g.12gb', 2],
    ],
  ],
}

/** The profile that a node with one geometry for all its GPUs uses, by board. */
export const SINGLE: Partial<Record<HardwareKey, string>> = {
  h100: '1g.10gb',
  a100: '1g.10gb',
  h200: '1g.18gb',
  'a100-40': '3g.20gb',
}
