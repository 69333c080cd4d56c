import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { PauseIcon, PlayIcon } from '../../ui/icons.tsx'
import { StateDot } from '../../ui/StateDot.tsx'
import { clockTime } from '../../ui/time-words.ts'
import { useLive, type Live } from '../client/live-context.ts'
import { useSource } from '../client/use-source.ts'
import { liveWords, type LiveWords } from './live-words.ts'

/** Of when the figures are, whether they still come in, and the button that makes them hold still. */
export function LiveState() {
  const live = useLive()
  const { chosen, isAll } = useSource()
  const state = liveWords(live, chosen)
  // Of all clusters each row says how old it is.
  const asOf = isAll ? null : (chosen?.asOf ?? null)
  return (
    <div className="flex items-center gap-1">
      <ConnectionMenu live={live} state={state} asOf={asOf} />
      {state.pausable && (
        <Button
          look="quiet"
          className="size-8 px-0"
          aria-pressed={live.paused}
          aria-label={live.paused ? 'Resume live updates' : 'Pause live updates'}
          title={live.paused ? 'Resume live updates' : 'Pause live updates'}
          onClick={() => live.setPaused(!live.paused)}
        >
          {live.paused ? <PlayIcon /> : <PauseIcon />}
        </Button>
      )}
    </div>
  )
}

type MenuProps = { readonly live: Live; readonly state: LiveWords; readonly asOf: string | null }

const ConnectionMenu = ({ live, state, asOf }: MenuProps) => (
  <Card
    label="Live updates"
    focus="first control"
    className="grid w-72 gap-3 px-4 py-3.5 text-13"
    trigger={
      <Button look="quiet" className="gap-2 px-2 text-12">
        <StateDot state={state.dot} />
        <output>{state.words}</output>
        {asOf !== null && (
          <span className="max-sm:hidden">
            <span className="text-ink-quiet max-[1400px]:hidden">as of </span>
            <time dateTime={asOf} className="inline-block min-w-[8ch] text-left font-mono">
              {clockTime(asOf)}
            </time>
          </span>
        )}
      </Button>
    }
  >
    <p className="text-ink-soft">{state.detail}</p>
    {state.closable && (
      <Button onClick={() => live.setClosed(!live.closed)} className="justify-self-start">
        {live.closed ? 'Reconnect' : 'Disconnect'}
      </Button>
    )}
  </Card>
)
