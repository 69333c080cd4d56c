import { textOf } from '@septet/contract/says'
import { agree, grouped, plural } from '@septet/domain/words'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'

import type { Answer } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { GpuCard } from '../../ui/GpuCard.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { SliceBar } from '../../ui/SliceBar.tsx'
import { SliceLegend } from '../../ui/SliceLegend.tsx'
import { legendOf } from '../../ui/legend-of.ts'

type Room = Answer<'partitionsRoom'>
type Props = {
  readonly room: Room
  readonly model: string
  readonly cluster: string | undefined
  readonly open: (node: string) => void
  /** Asks for more of both lists; undefined when they are whole, or as long as they get. */
  readonly more: (() => void) | undefined
}

/** The answer in a sentence, then the GPUs that have room, those where somebody is in the way, and those that never will. */
export function RoomResult({ room, model, cluster, open, more }: Props) {
  const { places, blocked, blockedGpus, placeable, refusals } = room
  return (
    <div className="grid gap-6">
      <div className="grid gap-3">
        <output className="block max-w-3xl text-16 font-medium text-pretty">{textOf(room.says, /^verdict$/u)}</output>
        <dl className="flex flex-wrap gap-x-10 gap-y-2">
          <Number name="fit now" value={room.now} />
          <Number name="more after repartitioning free capacity" value={room.recut} />
          <Number name={`${agree(blockedGpus, 'GPU needs', 'GPUs need')} a workload to move`} value={blockedGpus} />
        </dl>
        <SliceLegend {...legendOf([...places, ...blocked].map(({ gpu }) => gpu))} />
      </div>
      <Group
        title="Where it fits"
        empty="On no GPU right now."
        count={places.length}
        of={placeable.gpus}
        what={['GPU with room', 'GPUs with room']}
      >
        {places.map((place) => (
          <Line key={place.gpu.id} {...place} open={open}>
            {placeWords(place)}
          </Line>
        ))}
      </Group>
      <Group
        title="Where a workload blocks it"
        empty="Nowhere."
        count={blocked.length}
        of={blockedGpus}
        what={['GPU', 'GPUs, fewest blockers first']}
      >
        {blocked.map((one) => (
          <Line key={one.gpu.id} {...one} open={open}>
            {sentence(one.because)} Blocked by:{' '}
            <span className="text-ink">
              {one.inTheWay.map((holder, order) => (
                <Fragment key={roomBlockWords(holder)}>
                  {order > 0 && '; '}
                  <bdi>{roomBlockWords(holder)}</bdi>
                </Fragment>
              ))}
            </span>
            {one.cutAnew ? '. Needs a repartition.' : '. No repartition needed.'}
          </Line>
        ))}
      </Group>
      {more !== undefined && (
        <div>
          <Button onClick={more}>Show more GPUs</Button>
        </div>
      )}
      {blockedGpus > 0 && <Moves profile={room.profile} model={model} cluster={cluster} />}
      {refusals.length > 0 && <Never refusals={refusals} />}
    </div>
  )
}

type MovesProps = Pick<Props, 'model' | 'cluster'> & { readonly profile: string }

const Moves = ({ profile, model, cluster }: MovesProps) => {
  const asked = { ...(cluster !== undefined && { cluster }), view: 'plan', goal: 'room-for', board: model, profile }
  return (
    <p className="border-t border-line pt-4 text-13">
      <Link to={`/partitions?${new URLSearchParams(asked).toString()}`} className="underline underline-offset-4">
        Plan the fewest moves
      </Link>{' '}
      that make room for one more {profile} on {model}.
    </p>
  )
}

const Never = ({ refusals }: Pick<Room, 'refusals'>) => (
  <section className="grid gap-1.5">
    <h3 className="text-13 font-semibold">Where it can never fit</h3>
    <ul className="grid gap-1 text-13 text-ink-soft">
      {refusals.map(({ because, gpus, nodes, example }) => (
        <li key={because} className="wrap-anywhere">
          <span className="font-mono">{gpus}</span> {agree(gpus, 'GPU')}: {because} (
          {nodes === 1 ? example : `${nodes} nodes, ${example} among them`})
        </li>
      ))}
    </ul>
  </section>
)

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`

const Number = ({ name, value }: { readonly name: string; readonly value: number }) => (
  <div className="flex items-baseline gap-2">
    <dd className="figure order-first font-mono text-20 font-semibold">{grouped(value)}</dd>
    <dt className="text-12 text-ink-soft">{name}</dt>
  </div>
)

type GroupProps = {
  readonly title: string
  readonly empty: string
  readonly count: number
  readonly of: number
  /** Of one, and of many. */
  readonly what: readonly [string, string]
  readonly children: ReactNode
}

const Group = ({ title, empty, count, of, what, children }: GroupProps) => (
  <section className="grid gap-1.5">
    <h3 className="flex flex-wrap items-baseline justify-between gap-x-4 text-13 font-semibold">
      {title}
      <span className="text-12 font-normal text-ink-quiet">
        {count < of
          ? `the first ${count} of ${grouped(of)} ${what[1]}`
          : count > 0 && `${of} ${what[of === 1 ? 0 : 1]}`}
      </span>
    </h3>
    {count === 0 ? (
      <p className="text-13 text-ink-soft">{empty}</p>
    ) : (
      <ul className="divide-y divide-line border-y border-line">{children}</ul>
    )}
  </section>
)

type LineProps = Pick<Room['places'][number], 'node' | 'gpu' | 'actuator'> & {
  readonly open: (node: string) => void
  readonly children: ReactNode
}

const Line = ({ node, gpu, actuator, open, children }: LineProps) => (
  <li className="grid items-center gap-x-5 gap-y-1 py-2 md:grid-cols-[minmax(9rem,13rem)_minmax(7rem,13rem)_minmax(0,1fr)]">
    <button
      type="button"
      onClick={() => open(node)}
      className="max-w-full min-w-0 justify-self-start truncate text-left text-13 font-medium underline decoration-line-strong decoration-dotted underline-offset-4 hover:decoration-solid"
    >
      <bdi>{node}</bdi>{' '}
      <span className="font-mono text-12 font-normal text-ink-soft">
        GPU {gpu.index}
        {actuator === 'dra' && ', DRA'}
      </span>
    </button>
    <Hint content={<GpuCard gpu={gpu} />}>
      <button type="button" className="block w-full rounded-[3px] text-left">
        <SliceBar gpu={gpu} height={18} />
      </button>
    </Hint>
    <p className="text-12 text-ink-soft wrap-anywhere">{children}</p>
  </li>
)

/** What one GPU can give. */
export function placeWords({ now, starts, recut, replaces }: Room['places'][number]): string {
  const parts = [
    ...(now > 0 ? [`${now} now at memory ${agree(starts.length, 'slice')} ${starts.join(', ')}`] : []),
    ...(recut > 0
      ? [
          `${recut}${now > 0 ? ' more' : ''} after repartitioning${replaces > 0 ? `, which replaces ${plural(replaces, 'free instance')}` : ''}`,
        ]
      : []),
  ]
  return parts.join('; ')
}

/** Who must leave before one fits. */
export const roomBlockWords = ({ profile, start, holder }: Room['blocked'][number]['inTheWay'][number]): string =>
  `${profile === null ? 'the whole GPU' : `${profile} at ${start}`}, ${holder ?? 'a namespace you cannot see'}`
