import { Button } from '../../../ui/Button.tsx'
import { NoticeBox } from '../../../ui/Notice.tsx'
import { clockTime } from '../../../ui/time-words.ts'
import { failureWords } from '../../client/failure-words.ts'

type Props = {
  readonly answer: {
    readonly data: unknown
    readonly error: Error | null
    readonly failureReason: Error | null
    readonly dataUpdatedAt: number
    readonly refetch: () => unknown
  }
}

/** Says that what runs may be further by now: it was seen, and the server has not responded since. */
export function LostNotice({ answer: { data, error, failureReason, dataUpdatedAt, refetch } }: Props) {
  const reason = error ?? failureReason
  if (data === undefined || reason === null) return undefined
  return (
    <NoticeBox tone="warning" action={<Button onClick={() => void refetch()}>Try again</Button>}>
      {failureWords(reason)} Showing data from {clockTime(new Date(dataUpdatedAt).toISOString())}; actions in progress
      continue without this page.
    </NoticeBox>
  )
}
