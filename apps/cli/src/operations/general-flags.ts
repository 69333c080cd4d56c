import { OUTPUTS } from '../output/format-answer.ts'

/** What every operation takes beside its own inputs: what they are for, the short form, what follows. `optional`: what follows may be left out. */
export const GENERAL_FLAGS = {
  server: {
    short: undefined,
    takes: 'URL',
    optional: false,
    help: 'the server (default: SEPTET_SERVER, else the one you last signed in to)',
  },
  output: {
    short: 'o',
    takes: OUTPUTS.join('|'),
    optional: false,
    help: 'output format (default: table)',
  },
  columns: {
    short: undefined,
    takes: 'A,B',
    optional: false,
    help: 'show only these columns, in this order (table and csv)',
  },
  file: {
    short: 'f',
    takes: 'FILE',
    optional: false,
    help: 'read inputs from a JSON or YAML file; - for standard input; flags override it',
  },
  watch: { short: 'w', takes: 'SECONDS', optional: true, help: 'refresh every 5 seconds, or every SECONDS' },
  explain: {
    short: undefined,
    takes: undefined,
    optional: false,
    help: 'explain the answer: the formula, window and source of each figure',
  },
  help: { short: 'h', takes: undefined, optional: false, help: 'show this help' },
} as const satisfies Record<string, GeneralFlag>

type GeneralFlag = {
  readonly short: string | undefined
  /** What follows, in words; undefined: nothing. */
  readonly takes: string | undefined
  readonly optional: boolean
  readonly help: string
}

export type GeneralName = keyof typeof GENERAL_FLAGS

/** The flag of the program by its name or its short form. */
export const generalFlag = (word: string): GeneralName | undefined =>
  GENERAL_NAMES.find((name) => name === word || GENERAL_FLAGS[name].short === word)

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of this very object
export const GENERAL_NAMES = Object.keys(GENERAL_FLAGS) as readonly GeneralName[]
