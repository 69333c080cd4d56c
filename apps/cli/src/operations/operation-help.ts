import { foldText } from '../output/fold-text.ts'
import type { PlainOperation } from '../output/json-schema.ts'
import type { Flag } from './flags.ts'
import { GENERAL_FLAGS, GENERAL_NAMES } from './general-flags.ts'
import { nounsByVerb, type Spoken } from './verbs.ts'

/** `septet VERB NOUN --help`, made from the operation's input. */
export function operationHelp(
  program: string,
  { verb, noun }: Spoken,
  { operation, flags }: { readonly operation: PlainOperation; readonly flags: readonly Flag[] },
): string {
  const positions = flags.filter(({ positional }) => positional)
  const named = flags.filter(({ positional }) => !positional)
  const asked = named.filter(({ required }) => required).map((flag) => ` --${flag.name} ${takes(flag)}`.trimEnd())
  const own = [...positions.map((flag) => [flag.name.toUpperCase(), helpOf(flag)] as const), ...named.map(flagLine)]
  const general = GENERAL_NAMES.map((name) => {
    const { short, takes: value, optional, help } = GENERAL_FLAGS[name]
    const follows = value === undefined ? '' : optional ? ` [${value}]` : ` ${value}`
    return [`${short === undefined ? '' : `-${short}, `}--${name}${follows}`, help] as const
  })
  return [
    `${program} ${verb} ${noun}${positions.map(({ name }) => ` ${name.toUpperCase()}`).join('')}${asked.join('')} [flags]`,
    '',
    ...foldText(operation.description, WIDTH),
    `Requires the ${operation.role} role${operation.effect === 'act' ? '. Changes a cluster' : ''}.`,
    '',
    ...section('', own),
    ...section('Global flags:', general),
  ].join('\n')
}

/** `septet VERB --help`: the nouns of a verb with what each answers. */
export function verbHelp(program: string, verb: string, titled: readonly (readonly [Spoken, string])[]): string {
  return [
    `${program} ${verb} NOUN`,
    '',
    ...section(
      '',
      titled.map(([{ noun }, title]) => [noun, title] as const),
    ),
  ].join('\n')
}

/** All verbs with their nouns, for `septet --help`. */
export function verbLines(): readonly string[] {
  const [several, single] = split([...nounsByVerb()], ([, nouns]) => nouns.length > 1)
  const wide = Math.max(...several.map(([verb]) => verb.length))
  return [
    ...several.flatMap(([verb, nouns]) =>
      foldText(`${verb.padEnd(wide)}  ${nouns.map(({ noun }) => noun).join(', ')}`, WIDTH, wide + 4),
    ),
    ...foldText(
      `and  ${single.flatMap(([verb, nouns]) => nouns.map(({ noun }) => `${verb} ${noun}`)).join(', ')}`,
      WIDTH,
      wide + 4,
    ),
  ].map((line) => `  ${line}`)
}

const WIDTH = 110

function section(title: string, rows: readonly (readonly [string, string])[]): string[] {
  if (rows.length === 0) return []
  const wide = Math.min(34, Math.max(...rows.map(([name]) => name.length)))
  const lines = rows.flatMap(([name, help]) =>
    foldText(`${name.padEnd(wide)}  ${help}`, WIDTH, wide + 2).map((line) => `  ${line.trimEnd()}`),
  )
  return [...(title === '' ? [] : [title]), ...lines, '']
}

const flagLine = (flag: Flag) => [`--${flag.name} ${takes(flag)}`.trimEnd(), helpOf(flag)] as const

function helpOf({ help, choices, kind, standard, required }: Flag): string {
  const said = [
    ...(help === '' ? [] : [help]),
    ...(choices.length > 0 && kind !== 'switch' ? [`one of ${choices.join(', ')}`] : []),
    ...(kind === 'secret' ? ['read from a file, to keep it off the command line; - reads standard input'] : []),
    ...(required ? ['required'] : []),
    ...(standard === undefined || kind === 'switch' ? [] : [`${standard === '' ? '""' : standard} when left out`]),
  ]
  return said.join('; ')
}

const takes = ({ kind }: Flag): string => TAKES[kind]

const TAKES = {
  text: 'TEXT',
  number: 'NUMBER',
  switch: '',
  texts: 'A,B',
  numbers: '1,2',
  document: 'JSON',
  secret: 'FILE',
} as const satisfies Record<Flag['kind'], string>

const split = <Item>(items: readonly Item[], is: (item: Item) => boolean): [Item[], Item[]] => [
  items.filter(is),
  items.filter((item) => !is(item)),
]
