import { OUTPUTS } from '../output/outputs.ts'

/** What every operation takes beside its own inputs: what they are for, the short form, what follows. `optional`: what follows may be left out. */
export const GENERAL_FLAGS = {
  server: {
    short: undefined,
    takes: 'URL',
    optional: false,
    help: 'the Septet to ask; SEPTET_SERVER, or where you signed in with septet login',
  },
  output: {
    short: 'o',
    takes: OUTPUTS.join('|'),
    optional: false,
    help: 'table (as it is when left out), json, yaml or csv',
  },
  columns: {
    short: undefined,
    takes: 'A,B',
    optional: false,
    help: 'of a table or CSV, only these columns, in this order',
  },
  file: {
    short: 'f',
    takes: 'FILE',
    optional: false,
    help: 'inputs out of a JSON or YAML file; - reads standard input; flags win',
  },
  watch: { short: 'w', takes: 'SECONDS', optional: true, help: 'asks again every 5 seconds, or as many as you say' },
  explain: {
    short: undefined,
    takes: undefined,
    optional: false,
    help: 'what it answers, and of each figure its formula, window and source',
  },
  help: { short: 'h', takes: undefined, optional: false, help: 'this' },
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
