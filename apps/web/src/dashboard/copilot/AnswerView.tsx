import { plural } from '@septet/domain/words'
import { Fragment, useId, useState } from 'react'
import { Badge } from '../../ui/Badge.tsx'
import { dayTime } from '../../ui/time-words.ts'
import type { ShownAnswer } from './copilot-context.ts'
import { EvidenceList } from './EvidenceList.tsx'
import { NextSteps } from './NextSteps.tsx'
import { MeasuredChart } from '../chart/MeasuredChart.tsx'
import type { DenseUnit } from '../chart/dense-series.ts'
import { AnswerTable } from './AnswerTable.tsx'
import { SliceBar } from '../../ui/SliceBar.tsx'
import { SliceLegend } from '../../ui/SliceLegend.tsx'
import { useWidth } from '../../ui/use-width.ts'
import { legendOf } from '../../ui/legend-of.ts'

type Block = ShownAnswer['blocks'][number]

type AnswerBlockProps<Shown> = {
  readonly block: Shown
  /** Its name among all the answers, of which two may have the same title. */
  readonly label: string
}

/** What an answer shows beside its sentences: rows, a line over time, or GPUs drawn to scale. */
function AnswerBlock({ block, label }: AnswerBlockProps<Block>) {
  if (block.kind === 'table') return <AnswerTable block={block} label={label} />
  return block.kind === 'chart' ? <AnswerChart block={block} label={label} /> : <GpuBars block={block} />
}

function AnswerChart({ block, label }: AnswerBlockProps<Extract<Block, { kind: 'chart' }>>) {
  const { title, points } = block
  const unit = unitOf(block.unit)
  const at = points.map((point) => Date.parse(point.at) / 1000)
  const values = points.map(({ value }) => value)
  const series = [{ name: title, tone: 'busy' as const, values, filled: true }]
  return <MeasuredChart title={title} label={label} at={at} series={series} unit={unit} />
}

const UNITS: readonly DenseUnit[] = ['ratio', 'GiB', 'W', '°C', 'GPU', 'USD']
const unitOf = (unit: string): DenseUnit => UNITS.find((known) => known === unit) ?? 'count'

type Props = {
  readonly answer: ShownAnswer
  /** Which one it is in the conversation, from 1. */
  readonly number: number
  /** Asks one of the questions that come next; undefined while another one is on its way. */
  readonly ask: ((question: string) => void) | undefined
}

/** One answer: what it says, with the numbers of its evidence; what it shows; what comes next; and who answered. */
export function AnswerView({ answer, number: place, ask }: Props) {
  const { verdict, sentences, blocks, citations, next } = answer
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const show = (number: number): void => {
    setOpen(true)
    // After it is drawn: what is folded takes no focus.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`#${CSS.escape(`${id}-${number}`)}`)?.focus())
  }
  return (
    <div className="grid min-w-0 gap-3">
      {verdict !== 'answered' && (
        <p>
          <Badge tone={verdict === 'refused' ? 'warning' : 'secondary'}>{VERDICTS[verdict]}</Badge>
        </p>
      )}
      <p className="text-14 wrap-anywhere whitespace-pre-line">
        {sentences.map(({ text, cites, parts }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- the sentences of an answer never move
          <Fragment key={at}>
            {parts === undefined ? text : <Parts parts={parts} show={show} />}
            {(parts === undefined ? cites : citesOfWhole(parts)).map((number) => (
              <button
                key={number}
                type="button"
                aria-label={`Evidence ${number}`}
                onClick={() => show(number)}
                className="ml-1 inline-flex min-h-6 min-w-6 items-center justify-center rounded-control bg-sunken px-1 align-middle font-mono text-12 text-accent-ink hover:underline"
              >
                {number}
              </button>
            ))}{' '}
          </Fragment>
        ))}
      </p>
      {blocks.map((block, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- nor do its tables
        <AnswerBlock key={at} block={block} label={`${block.title}, answer ${place}`} />
      ))}
      {citations.length > 0 && (
        <EvidenceList id={id} citations={citations} isOpen={isOpen} onToggle={(opened) => setOpen(opened)} />
      )}
      <NextSteps title={verdict === 'cannot' ? 'What I can answer' : 'Next'} next={next} ask={ask} />
      <Origin answer={answer} />
    </div>
  )
}

type Sentence = ShownAnswer['sentences'][number]
type PartsProps = { readonly parts: NonNullable<Sentence['parts']>; readonly show: (number: number) => void }

/** A sentence of a model: what the server filled in stands as a chip with its label, and opens its evidence. */
const Parts = ({ parts, show }: PartsProps) =>
  parts.map(({ text, about, cite }, at) =>
    about === undefined || cite === undefined ? (
      // oxlint-disable-next-line react/no-array-index-key -- nor do its pieces
      <Fragment key={at}>{text}</Fragment>
    ) : (
      <button
        // oxlint-disable-next-line react/no-array-index-key -- nor do these
        key={at}
        type="button"
        onClick={() => show(cite)}
        className="inline min-h-6 rounded-control bg-sunken px-1 text-left hover:underline"
      >
        <b className="font-medium text-accent-ink">{text}</b> <span className="text-12 text-ink-soft">{about}</span>
      </button>
    ),
  )

/** Of a sentence of Septet that a model chose as a whole. */
const citesOfWhole = (parts: PartsProps['parts']): readonly number[] =>
  parts.flatMap(({ about, cite }) => (about === undefined && cite !== undefined ? [cite] : []))

const VERDICTS = { cannot: 'Cannot answer this', refused: 'Not done: the co-pilot only reads' } as const

/** Who answered, when, and what was left out of it. */
const Origin = ({ answer: { engine, at, dropped, droppedBecause = [] } }: { readonly answer: ShownAnswer }) => (
  <div className="grid gap-1 text-12 text-ink-quiet">
    {dropped > 0 && (
      <p>
        {plural(dropped, 'sentence')} of the model {dropped === 1 ? 'was' : 'were'} left out, for saying more than{' '}
        {dropped === 1 ? 'it cites' : 'they cite'}
        {droppedBecause.length > 0 && `: ${droppedBecause.join('; ')}`}.
      </p>
    )}
    {engine.because !== undefined && <p className="text-ink-soft">{engine.because}</p>}
    <p>
      {engine.kind === 'model' ? `Answered by the model ${engine.name},` : 'Without a language model,'}{' '}
      <time dateTime={at}>{dayTime(at)}</time>
    </p>
  </div>
)

type SlicesBlock = Extract<ShownAnswer['blocks'][number], { kind: 'slices' }>

/** The GPUs that an answer is about. */
function GpuBars({ block: { title, gpus } }: { readonly block: SlicesBlock }) {
  const [first, width] = useWidth<HTMLDivElement>()
  return (
    <figure className="grid min-w-0 gap-2">
      <figcaption className="text-13 font-medium">{title}</figcaption>
      <div ref={first} className="grid gap-2.5">
        {gpus.map(({ node, gpu }) => (
          <div key={`${node} ${gpu.id}`} className="grid gap-1">
            <p className="flex flex-wrap justify-between gap-x-3 text-12 text-ink-quiet">
              <span className="font-mono wrap-anywhere">
                {node} · GPU {gpu.index}
              </span>
              {gpu.model}
            </p>
            <SliceBar gpu={gpu} height={24} {...(width === undefined ? {} : { width })} />
          </div>
        ))}
      </div>
      <SliceLegend {...legendOf(gpus.map(({ gpu }) => gpu))} />
    </figure>
  )
}
