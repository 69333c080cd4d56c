import { useState } from 'react'

import { AUDIT_EXPORT_PATH } from '@septet/contract/routes'
import type { Answer } from '../../api.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Cell, Row, Table } from '../../ui/Table.tsx'
import { dayTime } from '../../ui/time-words.ts'
import { DownloadButton } from '../panel/DownloadButton.tsx'
import { useAnswer } from '../client/use-answer.ts'
import { Answered } from '../panel/Answered.tsx'

const PAGE = 50

type Entry = Answer<'auditList'>['entries'][number]

/** Who did what, newest first; each entry carries the hash of the one before it. */
export function AuditPage() {
  // Where each page that was turned to begins; the first has no beginning.
  const [turned, setTurned] = useState<readonly number[]>([])
  const before = turned.at(-1)
  const page = useAnswer('auditList', { limit: PAGE, before })
  return (
    <Panel
      title="Who did what"
      aside={<DownloadButton path={AUDIT_EXPORT_PATH} file="septet-audit.ndjson" label="Export all (NDJSON)" />}
    >
      <Answered answer={page}>
        {(data) => (
          <>
            <p className="mb-3 max-w-2xl text-13 text-ink-soft">
              Entries are only ever added, and each is chained to the one before by a hash: the export finds any change
              or gap.
            </p>
            <Table caption="Audit log" columns={['No.', 'When', 'Who', 'What', 'From', 'Hash']} empty="No entries yet.">
              {data.entries.map((entry) => (
                <EntryRow key={entry.seq} entry={entry} />
              ))}
            </Table>
            <Pages next={data.next} turned={turned} turn={setTurned} />
          </>
        )}
      </Answered>
    </Panel>
  )
}

const EntryRow = ({ entry }: { readonly entry: Entry }) => (
  <Row>
    <Cell name="No." className="text-right font-mono text-ink-quiet">
      {entry.seq}
    </Cell>
    <Cell name="When" className="whitespace-nowrap">
      {dayTime(entry.at)}
    </Cell>
    <Cell name="Who">
      <span className="block min-w-40 wrap-anywhere">{entry.actor}</span>
    </Cell>
    <Cell name="What" className="min-w-56">
      <code className="font-mono">{entry.action}</code>{' '}
      {entry.outcome === 'refused' && <Badge tone="destructive">refused</Badge>}
      {entry.object !== '' && entry.object !== entry.actor && (
        <span className="block text-12 text-ink-soft wrap-anywhere">{entry.object}</span>
      )}
      {Object.keys(entry.details).length > 0 && (
        <span className="block text-12 text-ink-soft wrap-anywhere">{detailWords(entry.details)}</span>
      )}
    </Cell>
    <Cell name="From" className="font-mono">
      {entry.ip}
    </Cell>
    <Cell name="Hash" className="font-mono text-ink-quiet">
      <span title={entry.hash}>{entry.hash.slice(0, 8)}</span>
    </Cell>
  </Row>
)

const detailWords = (details: Entry['details']): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(' · ')

type PagesProps = {
  readonly next: number | null
  readonly turned: readonly number[]
  readonly turn: (turned: readonly number[]) => void
}

const Pages = ({ next, turned, turn }: PagesProps) =>
  next === null && turned.length === 0 ? null : (
    <nav aria-label="Pages of the audit log" className="mt-3 flex gap-2">
      <Button disabled={turned.length === 0} onClick={() => turn(turned.slice(0, -1))}>
        Newer
      </Button>
      <Button disabled={next === null} onClick={() => next !== null && turn([...turned, next])}>
        Older
      </Button>
    </nav>
  )
