import { duration } from '@septet/domain/words'

import type { Answer } from '../../../api.ts'
import { CheckIcon, InfoIcon, WarningIcon } from '../../../ui/icons.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Cell, Row, Table } from '../../../ui/Table.tsx'
import { ago, dayTime } from '../../../ui/time-words.ts'
import { useNow } from '../../../ui/use-now.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { Answered } from '../../panel/Answered.tsx'
import { DownloadButton } from '../../panel/DownloadButton.tsx'
import { mayAs } from '../../words/role-words.ts'
import { DIAGNOSTICS_PATH } from '@septet/contract/routes'

type Status = Answer<'statusGet'>
type Line = Status['lines'][number]

/** How each loop and each source of Septet does: of the server that answers, and of each cluster. */
export function StatusPage() {
  const status = useAnswer('statusGet', {})
  return (
    <div className="grid gap-4">
      <Answered answer={status}>
        {(data) => (
          <>
            <Overall status={data} />
            {[null, ...data.clusters].map((cluster) => (
              <Group key={cluster?.id ?? ''} cluster={cluster} status={data} />
            ))}
          </>
        )}
      </Answered>
    </div>
  )
}

const ROLES = {
  all: 'watches clusters and answers',
  answer: 'only answers; another server watches the clusters',
} as const

function Overall({ status: { server, says } }: { readonly status: Status }) {
  return (
    <Panel title="Now" aside={<Diagnostics />}>
      <ul className="grid max-w-3xl gap-1.5 text-13">
        {(says ?? []).map(({ text }) => (
          <li key={text} className="wrap-anywhere">
            {text}
          </li>
        ))}
      </ul>
      <p className="mt-3 text-12 text-ink-soft wrap-anywhere">
        {`Answered by ${server.name}, version ${server.version}, which ${ROLES[server.role]}. Running since ${dayTime(server.startedAt)}.`}
      </p>
    </Panel>
  )
}

/** Names are masked; the command line can keep them. */
function Diagnostics() {
  const role = useAnswer('sessionMe', {}).data?.role
  if (!mayAs(role, 'admin')) return undefined
  return <DownloadButton path={DIAGNOSTICS_PATH} label="Download diagnostics" />
}

type GroupProps = { readonly cluster: Status['clusters'][number] | null; readonly status: Status }

/** What is wrong stands first. */
const RANK = { failing: 0, late: 1, degraded: 2, waiting: 3, ok: 4 } satisfies Record<Line['state'], number>

function Group({ cluster, status }: GroupProps) {
  const title = cluster?.name ?? 'This server'
  const lines = status.lines
    .filter((line) => line.cluster === (cluster?.id ?? null))
    .toSorted((a, b) => RANK[a.state] - RANK[b.state])
  return (
    <Panel title={title}>
      <Table
        caption={`Status of ${title}`}
        columns={['What', 'State', 'Since', 'Last success', 'Took']}
        empty="Nothing runs by itself for this cluster here."
      >
        {lines.map((line) => (
          <LineRow key={`${line.of} ${line.name}`} line={line} />
        ))}
      </Table>
    </Panel>
  )
}

function LineRow({ line }: { readonly line: Line }) {
  const now = useNow()
  const { title, of, since, lastOk, took, every, because, todo, failures } = line
  return (
    <Row>
      <Cell className="max-w-xl max-sm:font-medium">
        {title}
        <span className="block text-12 font-normal text-ink-soft">
          {of === 'source' ? 'source' : every === null ? 'when needed' : `every ${everyWords(every)}`}
        </span>
        {because !== null && <span className="mt-1 block font-normal wrap-anywhere">{because}</span>}
        {failures > 1 && <span className="block font-normal">Failed {failures} times in a row.</span>}
        {todo !== null && <span className="mt-1 block font-normal text-ink-soft">{todo}</span>}
      </Cell>
      <Cell name="State" className="whitespace-nowrap">
        <State state={line.state} />
      </Cell>
      <Cell name="Since" className="whitespace-nowrap">
        <time dateTime={since} title={dayTime(since)}>
          {ago(since, now)}
        </time>
      </Cell>
      <Cell name="Last success" className="whitespace-nowrap">
        {lastOk === null ? 'never' : <time dateTime={lastOk}>{ago(lastOk, now)}</time>}
      </Cell>
      {took === null ? (
        <Cell>{undefined}</Cell>
      ) : (
        <Cell name="Took" className="font-mono whitespace-nowrap">
          {tookWords(took)}
        </Cell>
      )}
    </Row>
  )
}

const everyWords = (seconds: number): string => (seconds < 1 ? `${Math.round(seconds * 1000)} ms` : duration(seconds))
const tookWords = (seconds: number): string => (seconds < 10 ? `${Math.round(seconds * 1000)} ms` : duration(seconds))

const STATES = {
  ok: { word: 'OK', Icon: CheckIcon, look: 'text-ink' },
  waiting: { word: 'Not run yet', Icon: InfoIcon, look: 'text-ink-soft' },
  degraded: { word: 'Degraded', Icon: WarningIcon, look: 'text-idle-ink' },
  late: { word: 'Late', Icon: WarningIcon, look: 'text-idle-ink' },
  failing: { word: 'Failing', Icon: WarningIcon, look: 'font-medium text-fault-ink' },
} as const satisfies Record<Line['state'], object>

function State({ state }: Pick<Line, 'state'>) {
  const { word, Icon, look } = STATES[state]
  return (
    <span className={`inline-flex items-center gap-1.5 ${look}`}>
      <Icon />
      {word}
    </span>
  )
}
