import { COPILOT_QUESTIONS } from '@septet/contract/copilot-questions'
import { isQuickRange, type QuickRange } from '@septet/domain'

import { SOURCE_KIND_WORDS, type Cluster } from '../client/sources.ts'
import { RANGE_WORDS } from '../address/range-choice.ts'
import { SETTINGS_WORDS, type View } from './views.ts'

/** Something that the palette can do, apart from what it finds in the cluster. */
export type PaletteCommand = {
  readonly id: string
  readonly group: 'Go to' | 'Source' | 'Range' | 'Page'
  readonly name: string
  readonly detail?: string
  /** Other words by which it is found; not shown. */
  readonly words?: string
  readonly run: () => void
}

/** What is there to do here, and how it is done. */
export type CommandNeeds = {
  readonly sections: readonly { readonly name: string; readonly path: string }[]
  /** Those that whoever looks may open. */
  readonly views: readonly View[]
  readonly settings: readonly { readonly name: string; readonly path: string }[]
  readonly clusters: readonly Cluster[]
  readonly paused: boolean
  readonly go: (path: string) => void
  readonly open: (view: View) => void
  readonly chooseCluster: (id: string) => void
  /** Undefined where there are not several. */
  readonly chooseAllClusters: (() => void) | undefined
  readonly chooseRange: (range: QuickRange) => void
  readonly setPaused: (paused: boolean) => void
  /** Opens the kill switch; undefined where whoever looks may not press it. */
  readonly stopActing: (() => void) | undefined
  readonly setTheme: (theme: 'light' | 'dark' | 'system') => void
}

/** Every command, in the order in which they are shown while nothing is typed. */
export const commandsFor = (needs: CommandNeeds): readonly PaletteCommand[] => [
  ...needs.sections.map(({ name, path }) => ({
    id: `go ${path}`,
    group: 'Go to' as const,
    name,
    run: () => needs.go(path),
  })),
  ...needs.views.map((view) => ({
    id: `view ${view.name}`,
    group: 'Go to' as const,
    name: view.name,
    detail: view.detail,
    words: view.words,
    run: () => needs.open(view),
  })),
  ...needs.settings.map(({ name, path }) => ({
    id: `go /settings/${path}`,
    group: 'Go to' as const,
    name,
    detail: 'Settings',
    words: SETTINGS_WORDS[path] ?? '',
    run: () => needs.go(`/settings/${path}`),
  })),
  ...(needs.chooseAllClusters === undefined
    ? []
    : [{ id: 'source all', group: 'Source' as const, name: 'All clusters', run: needs.chooseAllClusters }]),
  ...needs.clusters.map((cluster) => ({
    id: `source ${cluster.id}`,
    group: 'Source' as const,
    name: cluster.name,
    detail: SOURCE_KIND_WORDS[cluster.kind],
    run: () => needs.chooseCluster(cluster.id),
  })),
  ...rangeCommands(needs),
  {
    id: 'pause',
    group: 'Page',
    name: needs.paused ? 'Resume live updates' : 'Pause live updates',
    run: () => needs.setPaused(!needs.paused),
  },
  ...(needs.stopActing === undefined
    ? []
    : [{ id: 'stop', group: 'Page' as const, name: 'Stop acting…', detail: 'Actions', run: needs.stopActing }]),
  ...(['light', 'dark', 'system'] as const).map((theme) => ({
    id: `theme ${theme}`,
    group: 'Page' as const,
    name: `${theme[0]?.toUpperCase()}${theme.slice(1)} theme`,
    run: () => needs.setTheme(theme),
  })),
]

const RANGES = Object.keys(RANGE_WORDS).filter(isQuickRange)

const rangeCommands = ({ chooseRange }: CommandNeeds): PaletteCommand[] =>
  RANGES.map((range) => ({
    id: `range ${range}`,
    group: 'Range',
    name: RANGE_WORDS[range],
    run: () => chooseRange(range),
  }))

/**
 * Commands that hold every word of what was typed: first those whose name begins with it, then those that hold it where it
 * is seen, last those that are also called so.
 */
export function matching(commands: readonly PaletteCommand[], typed: string): readonly PaletteCommand[] {
  const words = wordsOf(typed)
  const shown = ({ group, name, detail = '' }: PaletteCommand): string => `${group} ${detail} ${name}`
  const begins = ({ name }: PaletteCommand): boolean => name.toLowerCase().startsWith(words[0] ?? '')
  const found = commands.filter((command) => holdsEveryWord(`${shown(command)} ${command.words ?? ''}`, typed))
  const rank = (command: PaletteCommand): number => {
    if (!holdsEveryWord(shown(command), typed)) return 2
    return begins(command) ? 0 : 1
  }
  return found.toSorted((a, b) => rank(a) - rank(b))
}

/** Questions for the co-pilot: fixed ones that hold every word of what was typed, then that, for a language model. */
export function questionsFor(typed: string): readonly string[] {
  const question = typed.trim()
  if (question === '') return []
  return [...new Set([...Object.values(COPILOT_QUESTIONS).filter((text) => holdsEveryWord(text, question)), question])]
}

/** Whether a text holds every word of what was typed, in any case and order. */
export function holdsEveryWord(text: string, typed: string): boolean {
  const lower = text.toLowerCase()
  return wordsOf(typed).every((word) => lower.includes(word))
}

const wordsOf = (typed: string): string[] =>
  typed
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '')
