import { Button } from '../../../ui/Button.tsx'
import type { ActionList } from '../../acting/action-words.ts'
import { StopDialog } from '../../acting/StopDialog.tsx'
import type { May } from '../../acting/use-may.ts'
import { useOpenActions } from '../../acting/use-open-actions.ts'
import { useUrlChoice } from '../../address/url-state.ts'

type Props = { readonly cluster: string | undefined; readonly may: May }

/** The first press of the kill switch; the palette presses it from every screen. */
export function StopControl({ cluster, may }: Props) {
  const list = useOpenActions(cluster).data
  const [asked, setAsked] = useUrlChoice('stop')
  if (list === undefined || !may.decide || !canStop(list, may)) return undefined
  const { source } = list
  return (
    <>
      <Button className="min-h-8 px-3 text-fault-ink" aria-haspopup="dialog" onClick={() => setAsked('ask')}>
        Stop acting…
      </Button>
      {asked === 'ask' && (
        <StopDialog
          cluster={source}
          mayEverywhere={may.stopEverywhere}
          onClose={() => setAsked(undefined, { replace: true })}
        />
      )}
    </>
  )
}

/** There is nothing to stop where Septet cannot act, and nothing more where all is stopped that one may stop. */
const canStop = ({ acting }: ActionList, { stopEverywhere }: May): boolean =>
  acting.state !== 'observe' && !acting.stops.some(({ everywhere }) => everywhere || !stopEverywhere)
