import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'

import { type Answer, ask } from '../../api.ts'
import { useAuth } from '../../session/auth-context.ts'
import { usePlace } from '../../session/place-context.ts'
import { useTheme } from '../../theme/theme-choice.ts'
import { useFocusBack } from '../../ui/use-focus-back.ts'
import { useSettled } from '../../ui/use-settled.ts'
import { useMay } from '../acting/use-may.ts'
import { keptWith } from '../address/To.tsx'
import { sectionsOf } from '../address/sections.ts'
import { settingsGroups } from '../address/settings-sections.ts'
import { useUrlState } from '../address/url-state.ts'
import { useLive } from '../client/live-context.ts'
import { useAnswer } from '../client/use-answer.ts'
import { useSource } from '../client/use-source.ts'
import { mayAs } from '../words/role-words.ts'
import {
  commandsFor,
  holdsEveryWord,
  matching,
  type PaletteCommand,
  type PaletteCommand as Offer,
  questionsFor,
} from './commands.ts'
import { VIEWS } from './views.ts'

type Found = Answer<'searchFind'>['found'][number]

/** Anywhere, in a few letters: screens, sources and ranges, and any node, GPU, workload or namespace of the cluster. */
export function Palette({ close }: { readonly close: () => void }) {
  const [typed, setTyped] = useState('')
  useFocusBack()
  const commands = matching(useCommands(), typed)
  const { cluster } = useUrlState()
  const { found, isComplete } = useFound(cluster, typed)
  const open = usePlaces()
  const groups = [...new Set(commands.map(({ group }) => group))]
  const then = (run: () => void) => () => {
    close()
    run()
  }
  // What the cluster has comes later, so it stands below: nothing gets under a key that is being pressed.
  const offers = groups.flatMap((group) => ofGroup(commands, group))
  // A question is offered once nothing else comes: Enter must not ask about a node that was to be opened.
  const questions = isComplete ? questionsFor(typed) : []
  const ids = [...offers.map(({ id }) => id), ...found.map(foundId), ...questions.map(askId)]
  const [pointed, setPointed] = useState<string>()
  // What was pointed at goes when the list changes: then the first is, which Enter takes.
  const value = pointed !== undefined && ids.includes(pointed) ? pointed : (ids[0] ?? '')
  return (
    <Dialog.Root open onOpenChange={(next) => !next && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 bg-[oklch(0%_0_0/35%)]" />
        <Dialog.Content
          aria-describedby={undefined}
          className="floats fixed inset-x-3 top-[12vh] z-50 mx-auto max-w-xl overflow-hidden rounded-card border border-line bg-raised sm:inset-x-6"
        >
          <Dialog.Title className="sr-only">Find anything</Dialog.Title>
          <Command label="Find anything" shouldFilter={false} loop value={value} onValueChange={setPointed}>
            <Command.Input
              value={typed}
              onValueChange={(text) => {
                setTyped(text)
                setPointed(undefined)
              }}
              placeholder="Go to a screen, find a node, GPU or workload, or ask a question"
              className="h-12 w-full border-b border-line bg-transparent px-4 text-16 text-ellipsis outline-none placeholder:text-ink-quiet"
            />
            <Command.List className="max-h-[min(24rem,60vh)] overflow-y-auto p-1.5">
              {groups.map((group) => (
                <Command.Group key={group} heading={group} className={GROUP}>
                  {ofGroup(commands, group).map((command) => (
                    <OfferItem key={command.id} offer={command} choose={then(command.run)} />
                  ))}
                </Command.Group>
              ))}
              {found.length > 0 && (
                <Command.Group heading="In this cluster" className={GROUP}>
                  {found.map((one) => (
                    <FoundItem key={foundId(one)} one={one} choose={then(() => open(one))} />
                  ))}
                </Command.Group>
              )}
              <AskItems questions={questions} then={then} />
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const askId = (question: string): string => `ask ${question}`
const foundId = ({ kind, id }: Found): string => `found ${kind} ${id}`
const ofGroup = (commands: readonly Offer[], group: Offer['group']): readonly Offer[] =>
  commands.filter((command) => command.group === group)

const GROUP =
  '[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-12 [&_[cmdk-group-heading]]:text-ink-quiet'
const ITEM =
  'flex cursor-pointer items-baseline gap-3 rounded-[4px] px-2.5 py-1.5 text-13 data-[selected=true]:bg-sunken data-[selected=true]:shadow-[inset_2px_0_0_var(--accent)]'

type ItemProps = { readonly choose: () => void }

const OfferItem = ({ offer, choose }: ItemProps & { readonly offer: Offer }) => (
  <Command.Item value={offer.id} onSelect={choose} className={ITEM}>
    <span className="min-w-0 flex-1 truncate">{offer.name}</span>
    {offer.detail !== undefined && <span className="truncate text-12 text-ink-quiet">{offer.detail}</span>}
  </Command.Item>
)

type AskProps = { readonly questions: readonly string[]; readonly then: (run: () => void) => () => void }

/** They are asked on their own screen, whose address holds them. */
function AskItems({ questions, then }: AskProps) {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  if (questions.length === 0) return undefined
  return (
    <Command.Group heading="Ask" className={GROUP}>
      {questions.map((question) => (
        <Command.Item
          key={question}
          value={askId(question)}
          onSelect={then(() => void navigate({ pathname: '/ask', search: keptWith(search, { q: question }) }))}
          className={ITEM}
        >
          <span className="min-w-0 flex-1 truncate">Ask: {question}</span>
        </Command.Item>
      ))}
    </Command.Group>
  )
}

const FoundItem = ({ one, choose }: ItemProps & { readonly one: Found }) => (
  <Command.Item value={foundId(one)} onSelect={choose} className={ITEM}>
    <span className="w-20 shrink-0 text-12 text-ink-quiet">{KIND_WORDS[one.kind]}</span>
    <bdi className="min-w-0 flex-1 truncate font-mono text-12">{one.name}</bdi>
    <bdi className="max-w-[45%] truncate text-12 text-ink-quiet max-sm:hidden">{one.detail}</bdi>
  </Command.Item>
)

const KIND_WORDS = {
  node: 'Node',
  gpu: 'GPU',
  workload: 'Workload',
  namespace: 'Namespace',
} satisfies Record<Found['kind'], string>

/** Opens what was found, on the screen that shows it, with the cluster and the range that are chosen. */
function usePlaces(): (one: Found) => void {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  return (one) => {
    const { path, name } = PLACES[one.kind]
    void navigate({ pathname: path, search: keptWith(search, { [name]: one.id }) })
  }
}

/** Which screen shows what, and the parameter that names it there. */
const PLACES = {
  node: { path: '/fleet', name: 'q' },
  gpu: { path: '/fleet', name: 'gpu' },
  workload: { path: '/workloads', name: 'workload' },
  namespace: { path: '/workloads', name: 'namespace' },
} as const satisfies Record<Found['kind'], { readonly path: string; readonly name: string }>

/** A pause in typing that is long enough to ask. */
const PAUSE_MS = 120

type Search = {
  readonly found: readonly Found[]
  /** Whether this is all that there is for what was typed. */
  readonly isComplete: boolean
}

/** What of the cluster is called as was typed; of the answer before it, what still fits stays until it comes. */
function useFound(cluster: string | undefined, typed: string): Search {
  const query = useSettled(typed.trim(), PAUSE_MS)
  const { data, isPlaceholderData, isPending } = useQuery({
    queryKey: ['searchFind', { cluster, query }],
    queryFn: ({ signal }) => ask('searchFind', { cluster, query }, signal),
    enabled: query !== '',
    placeholderData: keepPreviousData,
    staleTime: 5000,
  })
  const found = query === '' ? [] : (data?.found ?? [])
  const isOld = isPlaceholderData || query !== typed.trim()
  return { found: isOld ? found.filter((one) => fits(one, typed)) : found, isComplete: !isOld && !isPending }
}

const fits = ({ name, id, detail }: Found, typed: string): boolean => holdsEveryWord(`${name}\n${id}\n${detail}`, typed)

/** What the palette can do on this page. */
function useCommands(): readonly PaletteCommand[] {
  const place = usePlace()
  const { signInInfo } = useAuth()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const { choose } = useUrlState()
  const { paused, setPaused } = useLive()
  const [, setTheme] = useTheme()
  const { clusters, chooseOne, chooseAll } = useSource()
  const may = useMay()
  const role = useAnswer('sessionMe', {}).data?.role
  const stopActing = (): void => void navigate({ pathname: '/actions', search: keptWith(search, { stop: 'ask' }) })
  return commandsFor({
    sections: sectionsOf(place).filter(({ path }) => path !== '/settings'),
    views: VIEWS.filter(({ whole }) => whole !== true || may.see !== false),
    settings: place.demo
      ? []
      : settingsGroups(signInInfo?.mode).flatMap(({ sections }) =>
          sections.filter(({ needs }) => role === undefined || mayAs(role, needs)),
        ),
    clusters,
    paused,
    go: (path) => void navigate({ pathname: path, search: String(search) }),
    open: ({ path, search: own = {} }) => void navigate({ pathname: path, search: keptWith(search, own) }),
    chooseCluster: chooseOne,
    chooseAllClusters: chooseAll,
    chooseRange: (range) => choose({ range }),
    setPaused,
    stopActing: may.see === true && may.decide ? stopActing : undefined,
    setTheme,
  })
}
