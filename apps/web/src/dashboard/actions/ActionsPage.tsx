import { usePageTitle } from '../../ui/use-page-title.ts'
import { ScreenHead } from '../panel/ScreenHead.tsx'
import { Answered } from '../panel/Answered.tsx'
import { useUrlState, useUrlChoice } from '../address/url-state.ts'
import { useMay, type May } from '../acting/use-may.ts'
import { useAnswer } from '../client/use-answer.ts'
import { ActionCards } from './inbox/ActionCards.tsx'
import { FaultPanel } from './faults/FaultPanel.tsx'
import { useCard } from './inbox/use-card.ts'
import { To } from '../address/To.tsx'
import { RecommendationPanel } from './RecommendationPanel.tsx'
import { Recommended } from './Recommended.tsx'
import { usePlace } from '../../session/place-context.ts'
import { Button } from '../../ui/Button.tsx'
import type { ActionList } from '../acting/action-words.ts'
import { StopDialog } from '../acting/StopDialog.tsx'
import { useOpenActions } from '../acting/use-open-actions.ts'

/** What waits for a decision, what runs, what came of it; and below, what Septet would change next. */
export function ActionsPage() {
  usePageTitle('Actions · Septet')
  const { cluster } = useUrlState()
  const [card, openCard] = useCard()
  const may = useMay()
  const answer = useAnswer('recommendationsList', { cluster, dismissed: 'show', limit: 500 })
  const recommendation = card?.kind === 'recommendation' ? card.id : undefined
  const again = (): void => void answer.refetch()
  return (
    <>
      <ScreenHead
        title="Actions"
        lead="Nothing changes without approval. Failed changes are reverted."
        docs="using-the-dashboard#actions"
        aside={
          <>
            {may.see === true && <StopControl cluster={cluster} may={may} />}
            <HeadLinks may={may} />
          </>
        }
      />
      <div className="grid grid-cols-1 gap-7">
        {may.see === true && <ActionCards cluster={cluster} may={may} />}
        <FaultPanel cluster={cluster} may={may} />
        {may.see === false && (
          <p className="text-13 text-ink-soft">
            Actions change whole nodes, so only people with access to the whole cluster see them.
          </p>
        )}
        <section aria-labelledby="recommended" className="grid grid-cols-1 gap-4">
          <h2 id="recommended" className="text-16 font-semibold tracking-tight">
            Recommendations
          </h2>
          <Answered answer={answer}>
            {(data) => (
              <Recommended
                data={data}
                open={recommendation}
                onOpen={(id) => openCard({ kind: 'recommendation', id })}
              />
            )}
          </Answered>
        </section>
      </div>
      {recommendation !== undefined && answer.data !== undefined && (
        <RecommendationPanel
          key={recommendation}
          id={recommendation}
          listed={answer.data.recommendations.find(({ id }) => id === recommendation)}
          cluster={cluster}
          onClose={() => openCard(undefined)}
          changed={again}
        />
      )}
    </>
  )
}

/** What the cluster lets Septet do is for those who see whole clusters; the demo has no settings. */
function HeadLinks({ may }: { readonly may: May }) {
  const { demo } = usePlace()
  const links = [
    ...(may.see === true && !demo ? [['/settings/acting', 'What Septet may do'] as const] : []),
    ['/actions/savings', 'Savings'],
    ['/actions/what-if', 'What if…'],
  ] as const
  return links.map(([path, words]) => (
    <To key={path} path={path} look="button">
      {words}
    </To>
  ))
}

type Props = { readonly cluster: string | undefined; readonly may: May }

/** The first press of the kill switch; the palette presses it from every screen. */
function StopControl({ cluster, may }: Props) {
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
