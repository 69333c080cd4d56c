import { CLASSES } from '@septet/domain/action-classes'

import type { Answer } from '../../api.ts'
import { ago } from '../../ui/time-words.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { useNow } from '../../ui/use-now.ts'
import { To } from '../address/To.tsx'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'
import { PanelEmpty } from '../panel/PanelEmpty.tsx'
import { TIPS } from './FleetLine.tsx'
import { RecommendationReview } from './RecommendationReview.tsx'
import { type Recommendation, savingWords } from '../recommendation/recommendation-words.ts'
import { textOf } from '@septet/contract/says'
import { Bone } from '../../ui/Bone.tsx'
import { Answered } from '../panel/Answered.tsx'

type Recommendations = Answer<'recommendationsList'>

/** The three changes most worth making, each with what it saves, what it risks and the way back. */
export function RecommendationsPart() {
  const { cluster } = useUrlState()
  const answer = useAnswer('recommendationsList', { cluster, limit: TIPS })
  const { data } = answer
  return (
    <Panel title="AI Optimization Recommendations" aside={data !== undefined && <Counted data={data} />}>
      <Answered answer={answer} waiting={<Bone className="h-36" />}>
        {(shown) => shown.recommendations.length === 0 && <PanelEmpty>{textOf(shown.says)}</PanelEmpty>}
      </Answered>
      <ul className="grid grid-cols-1 gap-x-6 border-t border-line empty:hidden max-lg:divide-y max-lg:divide-line lg:grid-cols-3 xl:grid-cols-1 xl:divide-y xl:divide-line">
        {data?.recommendations.map((recommendation) => (
          <Tip key={recommendation.id} recommendation={recommendation} />
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-13">
        {data !== undefined && data.total > 0 && (
          <To path="/actions" look="accent">
            All recommendations
          </To>
        )}
        <To path="/actions/what-if" look="accent">
          Compare scheduling policies
        </To>
      </div>
    </Panel>
  )
}

function Counted({ data }: { readonly data: Recommendations }) {
  const now = useNow()
  const shown = data.recommendations.length
  const when = data.madeAt === null ? '' : ` · ${ago(data.madeAt, now)}`
  return (
    <span className="text-12 text-ink-quiet">
      {shown < data.total ? `${shown} of ${data.total}` : `${data.total}`}
      {when}
    </span>
  )
}

/** What to do, why, and what it brings. */
function Tip({ recommendation }: { readonly recommendation: Recommendation }) {
  const { kind, title, message, saving } = recommendation
  const words = savingWords(saving)
  return (
    <li className="flex min-w-0 flex-col items-start gap-1.5 py-3 lg:pb-0 xl:pb-3">
      <div className="flex w-full items-center justify-between gap-3">
        <Badge tone="secondary">{CLASSES[kind].title}</Badge>
        <Hint content={words.explanation}>
          <button type="button" className="font-mono text-13 font-medium hover:text-busy-ink">
            {words.alone}
          </button>
        </Hint>
      </div>
      <h3 className="text-13 font-medium wrap-anywhere">
        <To path="/actions" more={{ recommendation: recommendation.id }} look="plain">
          {title}
        </To>
      </h3>
      <p className="text-13 text-ink-soft wrap-anywhere">{message}</p>
      {recommendation.plan !== null && <RecommendationReview recommendation={recommendation} />}
    </li>
  )
}
