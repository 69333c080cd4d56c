import { saysOf } from '@septet/contract/says'
import { money, perMillionTokens, plural, short } from '@septet/domain/words'
import { type ReactNode, useMemo } from 'react'

import type { Answer } from '../../api.ts'
import { Bone } from '../../ui/Bone.tsx'
import { NoticeBox } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ago } from '../../ui/time-words.ts'
import { useNow } from '../../ui/use-now.ts'
import { rangeWords } from '../address/range-choice.ts'
import { useUrlChoice, useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { Segmented } from '../form/Segmented.tsx'
import { Answered } from '../panel/Answered.tsx'
import type { Column } from '../table/column.ts'
import { DataTable } from '../table/DataTable.tsx'
import { workloadWords } from './cost-words.ts'

type Tokens = Answer<'costTokens'>
type Group = Tokens['groups'][number]
type Figures = NonNullable<Tokens['total']>

const CUTS = [
  { value: 'workload', label: 'Workload' },
  { value: 'model', label: 'Model' },
  { value: 'namespace', label: 'Namespace' },
  { value: 'tenant', label: 'Tenant' },
] as const satisfies readonly { value: Tokens['by']; label: string }[]

const KINDS = [
  { value: 'total', label: 'All tokens' },
  { value: 'prompt', label: 'Read' },
  { value: 'generation', label: 'Written' },
] as const satisfies readonly { value: keyof Figures['tokens']; label: string }[]

const SPLITS = [
  { value: 'none', label: 'Leave unknown' },
  { value: 'tokens', label: 'Split by tokens' },
] as const satisfies readonly { value: Tokens['split']; label: string }[]

const chosenOf = <Value extends string>(
  options: readonly { readonly value: Value }[],
  chosen: string | undefined,
  standard: Value,
): Value => options.find(({ value }) => value === chosen)?.value ?? standard

function useTokens() {
  const { cluster, range, zone } = useUrlState()
  const [by] = useUrlChoice('by')
  const [split] = useUrlChoice('split')
  const question = { by: chosenOf(CUTS, by, 'workload'), split: chosenOf(SPLITS, split, 'none') }
  return { ...question, answer: useAnswer('costTokens', { cluster, range, zone, ...question }) }
}

/** What tokens cost on the GPUs that served them: by all the time these were held, and by the part that was busy. */
export function TokensView() {
  const { over, zone } = useUrlState()
  const { answer } = useTokens()
  return (
    <Panel title="What tokens cost" aside={<span className="text-12 text-ink-quiet">{rangeWords(over, zone)}</span>}>
      <Answered answer={answer} waiting={<Bone className="h-80" />}>
        {(data) =>
          data.unread === null ? (
            <Served data={data} />
          ) : (
            <NoticeBox tone={data.source.kind === 'sample' ? 'quiet' : 'warning'}>{data.unread}</NoticeBox>
          )
        }
      </Answered>
    </Panel>
  )
}

const Served = ({ data }: { readonly data: Tokens }) => (
  <div className="grid min-w-0 gap-4">
    {data.total !== null && <Headline total={data.total} />}
    <Asides data={data} />
    <Choices />
    <Groups data={data} />
    <Basis data={data} />
  </div>
)

const UNKNOWN = <span className="font-sans text-12 text-ink-quiet">Unknown</span>
const orUnknown = (write: (amount: number) => string, amount: number | null): ReactNode =>
  amount === null ? UNKNOWN : write(amount)

const Headline = ({ total }: { readonly total: Figures }) => (
  <dl className="grid grid-cols-2 gap-x-6 gap-y-3 md:grid-cols-5">
    <Key name="Tokens read">{orUnknown(short, total.tokens.prompt)}</Key>
    <Key name="Tokens written">{orUnknown(short, total.tokens.generation)}</Key>
    <Key name="A million, by time held">{orUnknown(perMillionTokens, total.usdPerMillion.allocated.total)}</Key>
    <Key name="A million, by busy time">{orUnknown(perMillionTokens, total.usdPerMillion.busy.total)}</Key>
    <Key name="Held idle, model loaded">{orUnknown(money, total.idle.usd)}</Key>
  </dl>
)

const Key = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-12 text-ink-quiet">{name}</dt>
    <dd className="figure font-mono text-20 font-semibold">{children}</dd>
  </div>
)

/** What stands beside the figures or is left out of them, in the answer's own sentences. */
function Asides({ data }: { readonly data: Tokens }) {
  const said = saysOf(data.says, data.total === null ? ASIDE_OF_NOTHING : ASIDE)
  return (
    said.length > 0 && (
      <ul className="grid gap-1 text-12 text-ink-soft">
        {said.map(({ text }) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    )
  )
}
const ASIDE = /^(?:withoutWorkload|uncounted|total\.because|notes)/u
const ASIDE_OF_NOTHING = /^(?:total|withoutWorkload|uncounted|notes)/u

function Choices() {
  const { by, split } = useTokens()
  const [, setBy] = useUrlChoice('by')
  const [kind, setKind] = useUrlChoice('tokens')
  const [, setSplit] = useUrlChoice('split')
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Segmented label="Group by" options={CUTS} value={by} onChange={(next) => setBy(next)} />
      <Segmented
        label="A million of"
        options={KINDS}
        value={chosenOf(KINDS, kind, 'total')}
        onChange={(next) => setKind(next)}
      />
      {by === 'model' && (
        <Segmented
          label="Cost of a workload with several models"
          options={SPLITS}
          value={split}
          onChange={(next) => setSplit(next)}
        />
      )}
    </div>
  )
}

function Groups({ data }: { readonly data: Tokens }) {
  const [chosen] = useUrlChoice('tokens')
  const kind = chosenOf(KINDS, chosen, 'total')
  const columns = useMemo(() => columnsOf(data.by, kind), [data.by, kind])
  return (
    <DataTable
      caption={`Tokens by ${data.by}`}
      columns={columns}
      rows={data.groups}
      keyOf={({ key, kind: named }) => `${named}:${key}`}
      initialSort={{ id: 'cost', down: true }}
      sortParameter="tokensort"
      empty="No inference engine of a known workload counted tokens in this window."
    />
  )
}

const Basis = ({ data: { readAt, total } }: { readonly data: Tokens }) => {
  const now = useNow()
  return (
    <p className="text-12 text-ink-quiet">
      A rate carries the whole cost of the GPUs, so the rates of tokens read and written do not add up. Busy time is the
      share of the time held in which the compute engines worked.{' '}
      {total !== null && `Engines: ${total.engines.join(', ')}. `}
      {readAt !== null && `Added up ${ago(readAt, now)}.`}
    </p>
  )
}

type AmountColumn = {
  readonly id: string
  readonly name: string
  readonly of: (group: Group) => number | null
  readonly write: (amount: number) => string
  readonly digits?: number
}

/** A number that may be unknown: sorted last then, and an empty cell in a CSV. */
const amount = ({ id, name, of, write, digits = 0 }: AmountColumn): Column<Group> => ({
  id,
  name,
  cell: (group) => orUnknown(write, of(group)),
  sortBy: (group) => of(group) ?? undefined,
  largestFirst: true,
  text: (group) => of(group)?.toFixed(digits) ?? '',
  align: 'right',
  width: '7rem',
})

const NAMES = {
  workload: 'Workload',
  model: 'Model',
  namespace: 'Namespace',
  tenant: 'Tenant',
} satisfies Record<Tokens['by'], string>

const columnsOf = (by: Tokens['by'], kind: keyof Figures['tokens']): readonly Column<Group>[] => [
  {
    id: 'name',
    name: NAMES[by],
    cell: (group) => <GroupTitle group={group} by={by} />,
    sortBy: ({ key }) => key,
  },
  amount({ id: 'read', name: 'Read', of: ({ tokens }) => tokens.prompt, write: short }),
  amount({ id: 'written', name: 'Written', of: ({ tokens }) => tokens.generation, write: short }),
  amount({ id: 'cost', name: 'Cost', of: ({ allocated }) => allocated.usd, write: money, digits: 2 }),
  amount({ id: 'idle', name: 'Held idle', of: ({ idle }) => idle.usd, write: money, digits: 2 }),
  amount({
    id: 'held',
    name: '$/M held',
    of: ({ usdPerMillion }) => usdPerMillion.allocated[kind],
    write: perMillionTokens,
    digits: 6,
  }),
  amount({
    id: 'busy',
    name: '$/M busy',
    of: ({ usdPerMillion }) => usdPerMillion.busy[kind],
    write: perMillionTokens,
    digits: 6,
  }),
]

function GroupTitle({ group, by }: { readonly group: Group; readonly by: Tokens['by'] }) {
  const { name, place } =
    by === 'workload'
      ? workloadWords(group.key)
      : { name: group.kind === 'none' ? `No ${by}` : group.key, place: plural(group.workloads, 'workload') }
  const notes = [place, ...(by === 'workload' ? group.models : []), ...group.because]
  return (
    <span className="block min-w-0">
      <bdi className={`block truncate ${group.kind === 'named' ? '' : 'text-ink-soft italic'}`}>{name}</bdi>
      <span className="block text-12 wrap-anywhere text-ink-quiet">{notes.join(' · ')}</span>
    </span>
  )
}
