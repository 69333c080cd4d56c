import { flagsOf } from '../operations/flags.ts'
import { GENERAL_NAMES } from '../operations/general-flags.ts'
import { plainOperation } from '../operations/plain-operations.ts'
import { SPOKEN } from '../operations/verbs.ts'
import { oneOf } from '../options/command-options.ts'
import { OUTPUTS } from '../output/format-answer.ts'

const COMPLETION_HELP = `septet completion bash|zsh|fish

Prints a script that completes commands, nouns, flags and their values in your shell. To load it in every session:

  bash   source <(septet completion bash)                in ~/.bashrc
  zsh    source <(septet completion zsh)                 in ~/.zshrc, after compinit
  fish   septet completion fish | source                 in ~/.config/fish/config.fish`

/** What may follow some words: `list workloads --sort` → its choices. */
type Row = { readonly after: string; readonly words: readonly string[] }

/** `septet completion`: a script made from the list of operations and the help of the commands. Throws a `UsageError`. */
export async function completionScript(
  args: readonly string[],
  commands: ReadonlyMap<string, () => Promise<string>>,
): Promise<string> {
  if (args.includes('--help')) return `${COMPLETION_HELP}\n`
  const shell = oneOf('SHELL', args[0] ?? '', ['bash', 'zsh', 'fish'])
  const rows = [...operationRows(), ...(await commandRows(commands))]
  const verbs = [...new Set(SPOKEN.map(({ verb }) => verb))]
  const first: Row = { after: '', words: [...commands.keys(), ...verbs].toSorted() }
  return SCRIPTS[shell]([first, ...rows])
}

function operationRows(): readonly Row[] {
  const verbs = [...Map.groupBy(SPOKEN, ({ verb }) => verb)].map(([verb, some]): Row => ({
    after: verb,
    words: some.map(({ noun }) => noun),
  }))
  const nouns = SPOKEN.flatMap(({ key, verb, noun }): Row[] => {
    const flags = flagsOf(plainOperation(key)).filter(({ positional }) => !positional)
    const words = [...flags.map(({ name }) => `--${name}`), ...GENERAL_NAMES.map((name) => `--${name}`)]
    const choices = flags.filter((flag) => flag.choices.length > 0)
    return [
      { after: `${verb} ${noun}`, words },
      ...choices.map((flag) => ({ after: `${verb} ${noun} --${flag.name}`, words: flag.choices })),
    ]
  })
  const outputs = ['--output', '-o'].map((flag) => ({ after: `* ${flag}`, words: OUTPUTS }))
  return [...verbs, ...nouns, ...outputs]
}

/** The flags of a command stand in its help. */
async function commandRows(commands: ReadonlyMap<string, () => Promise<string>>): Promise<readonly Row[]> {
  return Promise.all(
    [...commands].map(async ([name, help]) => ({
      after: name,
      words: [...new Set((await help()).match(/--[a-z][\w-]*/gu) ?? [])],
    })),
  )
}

/** The rows as cases of a shell: the first two words and the word before, else the first two, else the first. */
const cases = (rows: readonly Row[]): string =>
  [...Map.groupBy(rows, ({ after }) => after)]
    .map(([after, some]) => `    ${caseOf(after)}) words='${some.flatMap(({ words }) => words).join(' ')}' ;;`)
    .join('\n')

const caseOf = (after: string): string => (after.startsWith('* ') ? `*" ${after.slice(2)}"` : `"${after}"`)

const find = (rows: readonly Row[]): string => `_septet_words() {
  local words=
  case "$1" in
${cases(rows)}
  esac
  printf '%s' "$words"
}`

const SCRIPTS = {
  bash: (rows: readonly Row[]) => `${find(rows)}
_septet() {
  local cur=\${COMP_WORDS[COMP_CWORD]} words=
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then words=$(_septet_words "")
  else
    local pair="\${COMP_WORDS[1]}\${COMP_WORDS[2]:+ \${COMP_WORDS[2]}}"
    (( COMP_CWORD == 2 )) && pair=\${COMP_WORDS[1]}
    case "\${COMP_WORDS[COMP_CWORD-1]}" in
      -f|--file) COMPREPLY=( $(compgen -f -- "$cur") ); return ;;
      -*) [[ $cur == -* ]] || words=$(_septet_words "$pair \${COMP_WORDS[COMP_CWORD-1]}") ;;
    esac
    [[ -n $words ]] || words=$(_septet_words "$pair")
    [[ -n $words ]] || words=$(_septet_words "\${COMP_WORDS[1]}")
  fi
  COMPREPLY=( $(compgen -W "$words" -- "$cur") )
}
complete -F _septet septet
`,
  zsh: (rows: readonly Row[]) => `#compdef septet
${find(rows)}
_septet() {
  local list=
  if (( CURRENT == 2 )); then list=$(_septet_words "")
  else
    local pair="\${words[2]} \${words[3]}"
    (( CURRENT == 3 )) && pair=\${words[2]}
    case "\${words[CURRENT-1]}" in
      -f|--file) _files; return ;;
      -*) [[ $PREFIX == -* ]] || list=$(_septet_words "$pair \${words[CURRENT-1]}") ;;
    esac
    [[ -n $list ]] || list=$(_septet_words "$pair")
    [[ -n $list ]] || list=$(_septet_words "\${words[2]}")
  fi
  compadd -- \${=list}
}
compdef _septet septet
`,
  fish: (rows: readonly Row[]) => `function __septet_words
  set -l words (commandline -opc)
  set -l pair (string join ' ' -- $words[2..3])
  set -l all
  string match -q -- '-*' (commandline -ct); or set all (__septet_after "$pair $words[-1]")
  test -n "$all"; or set all (__septet_after "$pair")
  test -n "$all"; or set all (__septet_after "$words[2]")
  string split ' ' -- $all
end
function __septet_after
  switch "$argv[1]"
${[...Map.groupBy(rows, ({ after }) => after)]
  .map(([after, some]) => `    case '${after}'\n      echo '${some.flatMap(({ words }) => words).join(' ')}'`)
  .join('\n')}
  end
end
complete -c septet -f -a '(__septet_words)'
complete -c septet -s f -l file -r -F
`,
} as const
