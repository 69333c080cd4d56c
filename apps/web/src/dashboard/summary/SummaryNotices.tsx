import { agree, grouped } from '@septet/domain/words'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import type { Answer } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { isolated } from '../../ui/isolated.ts'
import { NoticeBox } from '../../ui/Notice.tsx'
import { ago, minuteTime } from '../../ui/time-words.ts'
import type { Cluster } from '../client/sources.ts'
import { isStale } from '../client/freshness.ts'
import { LostNotice } from '../panel/LostNotice.tsx'
import { hasNoGpus } from './NoGpus.tsx'

type Summary = Answer<'summaryGet'>
type Props = {
  readonly summary: UseQueryResult<Summary>
  readonly cluster: Cluster | undefined
  readonly now: number
}

/** What the reader should know before the figures: that they are missing, old, or tell only a part. */
export function SummaryNotices({ summary, cluster, now }: Props) {
  return (
    <div className="grid gap-2 not-empty:mb-4">
      <LostNotice answer={summary} />
      {stale(summary.data, cluster, now)}
      {ranged(summary.data)}
      {partial(summary.data)}
      {empty(summary.data)}
    </div>
  )
}

function stale(summary: Summary | undefined, cluster: Cluster | undefined, now: number): ReactNode {
  if (summary?.asOf == null || !isStale(summary, now)) return undefined
  return (
    <NoticeBox tone="warning">
      The newest data is from {minuteTime(summary.asOf)}, {ago(summary.asOf, now)}; gray figures are from then.{' '}
      {cluster?.problems[0]?.message ?? `${isolated(summary.source.name)} has not responded since.`}
    </NoticeBox>
  )
}

/** Which part of the range has data; a running range is not over yet, and that needs no word here. */
function ranged(summary: Summary | undefined): ReactNode {
  if (summary === undefined || summary.notes.length === 0) return undefined
  return <NoticeBox tone="quiet">{summary.notes.join(' ')}</NoticeBox>
}

function partial(summary: Summary | undefined): ReactNode {
  const capacity = summary?.capacity
  if (capacity === undefined || (capacity.sentences.length === 0 && capacity.unknown.length === 0)) return undefined
  const { devices, measuredDevices } = capacity
  // What the notes say of the range is not said twice.
  const sentences = capacity.sentences.filter((sentence) => !summary?.notes.includes(sentence))
  return (
    <NoticeBox tone="quiet" action={sentences.length > SAID && <AllSentences sentences={sentences} />}>
      <span className="font-medium text-ink">
        {grouped(measuredDevices)} of {grouped(devices)}{' '}
        {agree(devices, 'GPU or MIG device is', 'GPUs and MIG devices are')} measured.
      </span>{' '}
      {sentences.slice(0, SAID).join(' ')} Unmeasured time counts as used, never as idle.
    </NoticeBox>
  )
}

/** Sentences that fit on the page without crowding it; the rest is one press away. */
const SAID = 2

const AllSentences = ({ sentences }: { readonly sentences: readonly string[] }) => (
  <Card label="What is not measured" trigger={<Button look="quiet">All {sentences.length} reasons</Button>}>
    <ul className="grid gap-2">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  </Card>
)

/** GPUs that were there and are not now; where there were none at all, the page says that in place of its figures. */
function empty(summary: Summary | undefined): ReactNode {
  if (summary === undefined || summary.capacity.gpus > 0 || summary.source.kind === 'sample') return undefined
  if (summary.asOf === null || hasNoGpus(summary)) return undefined
  if (summary.cost.hours?.unallocated === null) {
    return (
      <NoticeBox tone="quiet">
        Your namespaces hold no GPU of <bdi>{summary.source.name}</bdi> right now. Figures below cover what they held
        earlier.
      </NoticeBox>
    )
  }
  return (
    <NoticeBox tone="quiet">
      No node of <bdi>{summary.source.name}</bdi> offers GPUs right now. Figures below cover this range.
    </NoticeBox>
  )
}
