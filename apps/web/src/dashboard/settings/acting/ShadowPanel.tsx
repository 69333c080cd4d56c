import { CLASSES, REPLAYED_BY_DEFAULT, REPLAYED_CLASSES } from '@septet/domain/action-classes'
import { agree, dollars, grouped, nameOfWorkload, percent, plural } from '@septet/domain/words'
import { useEffect } from 'react'

import { To } from '../../address/To.tsx'
import type { Answer } from '../../../api.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Cell, Row, Table } from '../../../ui/Table.tsx'
import { dayTime, windowWords } from '../../../ui/time-words.ts'
import { shortDigest } from '../../acting/action-words.ts'
import { useUrlChoice } from '../../address/url-state.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { ChoiceField } from '../../form/ChoiceField.tsx'
import { Answered } from '../../panel/Answered.tsx'

const LOOK_MS = 1000

/** What Septet would have done by itself in the days that are stored: what a person decides by who puts a class on auto. */
export function ShadowPanel({ cluster }: { readonly cluster: string }) {
  const [wanted, choose] = useUrlChoice('replay')
  const kind = REPLAYED_CLASSES.find((each) => each === wanted) ?? REPLAYED_BY_DEFAULT
  const answer = useAnswer('shadowGet', { cluster, class: kind })
  const { data, refetch } = answer
  const isComputing = data?.state === 'computing'
  useEffect(() => {
    if (!isComputing) return undefined
    const timer = setInterval(() => void refetch(), LOOK_MS)
    return () => clearInterval(timer)
  }, [isComputing, refetch])
  return (
    <Panel
      title={`What ${CLASSES[kind].title} would have done on Auto`}
      aside={
        <ChoiceField
          inline
          label="Action"
          options={REPLAYED_CLASSES.map((value) => ({ value, label: CLASSES[value].title }))}
          value={kind}
          onChange={(value) => choose(value, { replace: true })}
        />
      }
    >
      <Answered answer={answer}>{(shadow) => <Replayed shadow={shadow} cluster={cluster} />}</Answered>
    </Panel>
  )
}

function Replayed({ shadow, cluster }: { readonly shadow: Shadow; readonly cluster: string }) {
  const { result, done, problem } = shadow
  if (problem !== null) return <p className="text-13 text-ink-soft">{problem}</p>
  if (result === null) {
    return (
      <output className="text-13 text-ink-soft">
        Replaying stored hours{done > 0 && `, ${percent(done, 0)} done`}. This changes nothing.
      </output>
    )
  }
  return (
    <div className="grid gap-4">
      <div className="grid max-w-3xl gap-1">
        <p className="text-14 font-medium">{result.says}</p>
        <p className="text-13 text-ink-soft">{basisWords(shadow, result)}</p>
      </div>
      <Wrong result={result} cluster={cluster} />
      <Small shadow={shadow} result={result} cluster={cluster} />
    </div>
  )
}

const isWrong = ({ outcome }: ShadowResult['actions'][number]): boolean => outcome.isWrong

type Result = { readonly result: ShadowResult; readonly cluster: string }

/** What it would have got wrong stands open. */
function Wrong({ result, cluster }: Result) {
  const wrong = result.actions.filter(isWrong)
  if (wrong.length === 0) return undefined
  return <ShadowTable caption="Where it would have been wrong" result={result} actions={wrong} cluster={cluster} />
}

/** The rest is folded. */
function Right({ result, cluster }: Result) {
  const { actions } = result
  const { one, caption } = CLASSES[result.class].replay
  const right = actions.filter((action) => !isWrong(action))
  if (right.length === 0) return undefined
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded-control py-1 font-medium">
        {right.length < actions.length ? `The other ${plural(right.length, one)}` : `All ${plural(right.length, one)}`}
      </summary>
      <ShadowTable caption={caption} result={result} actions={right} cluster={cluster} />
    </details>
  )
}

function Small({ shadow, result, cluster }: Result & { readonly shadow: Shadow }) {
  const { heldBack, withdrawn, digest, of } = result
  const notes = [...shadow.notReplayed.map(({ because }) => because), ...shadow.notes]
  const kept = heldBack.map(({ code, objects, because }) => ({
    key: code,
    text: `${plural(objects, of)}: ${because}`,
  }))
  const warned =
    withdrawn === 0
      ? []
      : [
          {
            key: 'withdrawn',
            text: `${plural(withdrawn, 'owner')} would have been warned about work that was used again before it was stopped.`,
          },
        ]
  return (
    <div className="grid gap-1 text-13">
      <Right result={result} cluster={cluster} />
      <Folded title="What the rules would have skipped" lines={[...warned, ...kept]} />
      <Folded title="What this does not show" lines={notes.map((text) => ({ key: text, text }))} />
      <p className="flex flex-wrap items-center gap-x-2 text-12 text-ink-quiet">
        The same history and policy give the same digest on every run:
        <span className="font-mono" title={digest}>
          {shortDigest(digest)}…
        </span>
        <CopyButton text={() => digest} label="Copy digest" />
      </p>
    </div>
  )
}

type FoldedProps = {
  readonly title: string
  readonly lines: ReadonlyArray<{ readonly key: string; readonly text: string }>
}

const Folded = ({ title, lines }: FoldedProps) =>
  lines.length > 0 && (
    <details>
      <summary className="w-fit cursor-pointer rounded-control py-1 font-medium">{title}</summary>
      <ul className="grid max-w-3xl list-disc gap-1 py-1 pl-5 text-ink-soft wrap-anywhere">
        {lines.map(({ key, text }) => (
          <li key={key}>{text}</li>
        ))}
      </ul>
    </details>
  )

function basisWords({ days }: Shadow, { recorded, of, objects: { replayed, leftOut } }: ShadowResult): string {
  if (recorded === null) return ''
  const stored = Math.floor((Date.parse(recorded.to) - Date.parse(recorded.from)) / 86_400_000)
  const short = stored < days ? ` Of ${days} days only ${stored} are stored by the hour.` : ''
  const rest =
    leftOut === 0 ? '' : ` ${plural(leftOut, of)} that left fewer unused ${agree(leftOut, 'is', 'are')} not in it.`
  return `Replayed from ${windowWords(recorded)}, ${plural(replayed, of)} that left GPUs unused, under the policy that is in force.${short}${rest}`
}

type Shadow = Answer<'shadowGet'>
type ShadowResult = NonNullable<Shadow['result']>
type ShadowAction = ShadowResult['actions'][number]

type Props = {
  readonly caption: string
  readonly result: Pick<ShadowResult, 'class' | 'effect' | 'of'>
  readonly actions: readonly ShadowAction[]
  readonly cluster: string
}

const FREED = { 'bill-reduced': 'Off the bill', 'capacity-freed': 'Freed' } as const
const OBJECTS = { workload: 'Workload', node: 'Node' } as const satisfies Record<ShadowResult['of'], string>

/** Each change that would have been made: when, to what, what was seen, and what came after. */
const ShadowTable = ({ caption, result, actions, cluster }: Props) => (
  <Table
    caption={caption}
    columns={[
      CLASSES[result.class].replay.done,
      OBJECTS[result.of],
      'Observed',
      FREED[result.effect],
      'What happened next',
    ]}
  >
    {actions.map((action) => (
      <Row key={`${action.object} ${action.doneAt}`}>
        <Cell className="whitespace-nowrap" name={CLASSES[result.class].replay.done}>
          <time dateTime={action.doneAt}>{dayTime(action.doneAt)}</time>
        </Cell>
        <Cell className="min-w-32 wrap-anywhere" name={OBJECTS[result.of]}>
          <Subject action={action} cluster={cluster} />
        </Cell>
        <Cell className="min-w-40 text-ink-soft" name="Observed">
          {firstSentence(action.message)}
        </Cell>
        <Cell className="whitespace-nowrap tabular-nums" name={FREED[result.effect]}>
          {freedText(action.freed)}
        </Cell>
        <Cell className="min-w-36" name="What happened next">
          {action.outcome.says}
        </Cell>
      </Row>
    ))}
  </Table>
)

/** Leads to the workload, over the time in which it was looked at and in which it is seen what came after, or to the node. */
function Subject({ action, cluster }: { readonly action: ShadowAction; readonly cluster: string }) {
  const { object, evidence, outcome } = action
  const name = object.slice(object.indexOf('/') + 1)
  if (!object.startsWith('workload/'))
    return (
      <To path="/fleet" more={{ cluster, q: name }} look="accent">
        {name}
      </To>
    )
  const range = `${evidence.window.from}/${outcome.at > evidence.window.to ? outcome.at : evidence.window.to}`
  return (
    <To path="/workloads" more={{ cluster, workload: name, range }} look="accent">
      {nameOfWorkload(name)}
    </To>
  )
}

/** What was seen; what to do follows from where it stands. */
const firstSentence = (message: string): string => /^.*?[a-z)]\.(?= |$)/u.exec(message)?.[0] ?? message

const freedText = ({ gpuHours, usd }: ShadowAction['freed']): string =>
  `${grouped(gpuHours, 1)} GPU-h${usd === null ? '' : `, ${dollars(usd)}`}`
