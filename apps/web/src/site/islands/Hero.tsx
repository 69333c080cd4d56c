import { useEffect, useId, useRef, useState } from 'react'

import { Button } from '../../ui/Button.tsx'
import { PauseIcon, PlayIcon } from '../../ui/icons.tsx'
import { HERO_TIMELINE, pictureAt, tapePlaceAt, POSITIONS, type HeroPicture, type HeroTape } from './hero-tape.ts'
import { HeroScore } from './HeroScore.tsx'
import { usePlayback } from './use-playback.ts'

export type HeroProps = {
  /** Where the tape is; the page has its first picture. */
  readonly tape: string
  readonly opening: HeroPicture
  /** The position of the slider that this is for. */
  readonly position: number
  /** Dollars for one GPU for one hour. */
  readonly price: number
}

/** The packing: the same workloads on whole GPUs and on cut ones, as the planner answered for each mix when the site was built. */
export function Hero({ tape: path, opening, position: opensAt, price }: HeroProps) {
  const stage = useRef<HTMLDivElement>(null)
  const tape = useTape(path)
  const [position, setPosition] = useState(opensAt)
  const { moment, playing, playback } = usePlayback(HERO_TIMELINE, stage, { onRequest: true })
  const { round, tick } = tapePlaceAt(moment)
  const picture = tape === undefined ? opening : pictureAt(tape, position, tick)
  const choose = (chosen: number): void => {
    setPosition(chosen)
    playback.jump(0)
  }
  return (
    <div ref={stage} className="overflow-hidden rounded-card border border-line bg-surface">
      <div className="flex flex-col justify-between gap-x-4 border-b border-line px-4 py-2 whitespace-nowrap xl:flex-row xl:items-center">
        <p className="text-13 text-ink-soft">{picture.workloads} workloads, laid out by the planner</p>
        <p className="font-mono text-12 text-ink-soft">
          <Bound picture={picture} />
        </p>
      </div>
      <figure className="px-4 pt-4">
        <figcaption className="sr-only">{inWords(picture)}</figcaption>
        <HeroScore picture={picture} turn={`${position} ${round}`} />
      </figure>
      <Legend />
      <div className="flex items-center gap-3 px-4 py-3">
        <Button
          onClick={playing ? playback.pause : playback.play}
          aria-label={playing ? 'Pause the score' : 'Play the score'}
        >
          {playing ? <PauseIcon /> : <PlayIcon />}
        </Button>
        <Mix position={position} choose={choose} />
      </div>
      <Figures picture={picture} price={price} />
    </div>
  )
}

function useTape(path: string): HeroTape | undefined {
  const [tape, setTape] = useState<HeroTape>()
  useEffect(() => {
    // Without it the first picture stays.
    fetch(path)
      .then((answer) => answer.json())
      .then(setTape, () => undefined)
  }, [path])
  return tape
}

function Bound({ picture: { bound, mig } }: { readonly picture: HeroPicture }) {
  if (bound === undefined) return <>bound unknown</>
  const above = mig.gpus - bound
  return <>{above === 0 ? `${bound} GPUs, proven optimal` : `${above} above the bound of ${bound}`}</>
}

type MixProps = { readonly position: number; readonly choose: (position: number) => void }

function Mix({ position, choose }: MixProps) {
  const id = useId()
  return (
    <div className="flex min-w-0 flex-1 items-center gap-2.5 text-13 text-ink-soft">
      <label htmlFor={id}>
        <span className="sr-only">Mix of workloads, from </span>small<span className="sr-only"> to large</span>
      </label>
      <input
        id={id}
        type="range"
        min="0"
        max={POSITIONS - 1}
        step="1"
        value={position}
        aria-valuetext={`${position} of ${POSITIONS - 1}`}
        onChange={({ target }) => choose(target.valueAsNumber)}
        className="slider min-w-0 flex-1"
      />
      <span aria-hidden>
        large<span className="max-sm:hidden"> workloads</span>
      </span>
    </div>
  )
}

function Legend() {
  return (
    <ul aria-hidden className="flex justify-end gap-3 px-4 text-12 text-ink-soft sm:-mt-5">
      {LEGEND.map(({ name, look }) => (
        <li key={name} className="flex items-center gap-1.5">
          <span className={`size-2.5 rounded-[2px] ${look}`} />
          {name}
        </li>
      ))}
    </ul>
  )
}

const LEGEND = [
  { name: 'busy', look: 'bg-busy' },
  { name: 'idle', look: 'hatch-idle' },
  { name: 'planned', look: 'bg-planned' },
] as const

const share = (busy: number | undefined): string => (busy === undefined ? 'none used' : `${busy}%`)

type FiguresProps = { readonly picture: HeroPicture; readonly price: number }

function Figures({ picture: { whole, mig }, price }: FiguresProps) {
  const dollars = (gpus: number): string => `$${(gpus * price).toFixed(2)}`
  const figures = [
    { name: 'GPUs needed', before: `${whole.gpus}`, after: `${mig.gpus}` },
    { name: 'GPU utilization', before: share(whole.busy), after: share(mig.busy) },
    { name: 'Cost per hour', before: dollars(whole.gpus), after: dollars(mig.gpus) },
  ]
  return (
    <dl className="grid grid-cols-3 divide-x divide-line border-t border-line">
      {figures.map(({ name, before, after }) => (
        <div key={name} className="flex flex-col justify-between gap-0.5 px-2.5 py-3 sm:px-4 sm:py-3.5">
          <dt className="text-12 text-ink-soft sm:text-13">{name}</dt>
          <dd className="flex flex-col gap-x-2 xl:flex-row xl:items-baseline">
            <span className="text-14 text-ink-soft sm:text-16">
              {before}
              <span className="sr-only"> on whole GPUs, </span>
            </span>
            <span className="text-20 font-medium tracking-tight sm:text-28">
              {after}
              <span className="sr-only"> with Septet</span>
            </span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function inWords({ workloads, whole, mig, bound }: HeroPicture): string {
  const proven = bound === undefined ? '' : ` No layout needs fewer than ${bound}.`
  return `${workloads} generated workloads over three and a half hours: ${whole.gpus} GPUs with one workload each, ${mig.gpus} with Septet.${proven}`
}
