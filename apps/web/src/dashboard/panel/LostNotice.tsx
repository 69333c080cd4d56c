import { Button } from '../../ui/Button.tsx'
import { NoticeBox } from '../../ui/Notice.tsx'
import { minuteTime } from '../../ui/time-words.ts'
import { failureWords } from '../client/failure-words.ts'

type Props = {
  readonly answer: {
    readonly data: unknown
    readonly error: Error | null
    readonly failureReason: Error | null
    readonly dataUpdatedAt: number
    readonly refetch: () => unknown
  }
  /** What still goes on. */
  readonly children?: string
}

/** Says that what is shown may be further by now: it was seen, and the server has not responded since. */
export function LostNotice({ answer, children }: Props) {
  const { data, error, failureReason, dataUpdatedAt, refetch } = answer
  const reason = error ?? failureReason
  if (data === undefined || reason === null) return undefined
  return (
    <NoticeBox
      tone="warning"
      action={
        <Button onClick={() => void refetch()} className="bg-transparent">
          Try again
        </Button>
      }
    >
      {failureWords(reason)} Showing data from {minuteTime(new Date(dataUpdatedAt).toISOString())}. {children}
    </NoticeBox>
  )
}
