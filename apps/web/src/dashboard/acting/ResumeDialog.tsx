import { plural } from '@septet/domain/words'

import { tell } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { ProblemBox } from '../form/Problem.tsx'
import { useSending } from '../client/use-sending.ts'
import { isRunning, type Acting, type ActionList } from './action-words.ts'
import { Confirm } from '../form/Confirm.tsx'
import { useActionsAnew } from './use-open-actions.ts'

type Props = {
  readonly list: ActionList
  readonly stop: Acting['stops'][number]
  readonly onClose: () => void
}

/** Lifts one stop, after saying what goes on at once. */
export function ResumeDialog({ list, stop, onClose }: Props) {
  const { busy, problem, run } = useSending()
  const anew = useActionsAnew()
  const { source, actions } = list
  const goOn = actions.filter(isRunning).length
  const where = stop.everywhere ? 'on every cluster' : `on ${source.name}`
  const resume = (): Promise<void> =>
    run(async () => {
      await tell('actingResume', { cluster: source.id, everywhere: stop.everywhere ? 'true' : 'false' })
      await anew()
      onClose()
      // The button that asked is gone with the banner.
      document.querySelector<HTMLElement>('#main')?.focus()
      return { done: `Septet may act ${where} again.` }
    })
  return (
    <Confirm title={`Resume acting ${where}?`} onClose={onClose}>
      <p className="text-ink-soft">
        {goOn === 0
          ? `Nothing is in progress on ${source.name}, so nothing changes at once.`
          : `On ${source.name} ${plural(goOn, 'action resumes', 'actions resume')} right away.`}{' '}
        Expired approvals do not resume.
      </p>
      <p className="rounded-control bg-sunken px-3 py-2 wrap-anywhere">
        Stopped by {stop.by}: “{stop.because}”
      </p>
      {isMadeInCluster(stop) && (
        <p className="text-ink-soft">
          It was stopped in the cluster itself: delete that ConfigMap first, or it stops again.
        </p>
      )}
      <ProblemBox words={problem} />
      <div className="flex flex-wrap gap-2">
        <Button look="strong" className="h-10 px-4" disabled={busy} onClick={() => void resume()}>
          {busy ? 'Resuming…' : 'Resume acting'}
        </Button>
        <Button className="h-10" onClick={onClose}>
          Leave it stopped
        </Button>
      </div>
    </Confirm>
  )
}

const isMadeInCluster = ({ by }: Props['stop']): boolean => by.startsWith('ConfigMap ')
