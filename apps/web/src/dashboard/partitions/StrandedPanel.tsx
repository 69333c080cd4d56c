import { textOf } from '@septet/contract/says'
import { agree, plural } from '@septet/domain/words'
import { boardFor } from '@septet/domain'

import type { Answer } from '../../api.ts'
import { SlotRow } from '../../geometry/SlotRow.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Answered } from '../panel/Answered.tsx'
import { useUrlState } from '../address/url-state.ts'
import { useAnswer } from '../client/use-answer.ts'

type Efficiency = Answer<'partitionsEfficiency'>
type Stranded = Efficiency['stranded'][number]
type Props = { readonly open: (node: string) => void }

/** Compute slices that no profile can reach while layouts stay: on which GPUs, and whether by construction or by place. */
export function StrandedPanel({ open }: Props) {
  const { cluster } = useUrlState()
  const answer = useAnswer('partitionsEfficiency', { cluster })
  return (
    <Panel title="Stranded slices">
      <Answered answer={answer}>
        {({ stranded, says }) => (
          <>
            <p className="max-w-3xl pb-2 text-13 text-ink-soft">
              {stranded.length > 0 &&
                'A slice is stranded when no MIG profile can use it next to the instances already on the GPU. '}
              {textOf(says, /^fleet/u)}
            </p>
            <ul className="divide-y divide-line border-t border-line empty:hidden">
              {stranded.map((each) => (
                <StrandedLayout key={keyOf(each)} stranded={each} open={open} />
              ))}
            </ul>
          </>
        )}
      </Answered>
    </Panel>
  )
}

const keyOf = ({ model, layout }: Stranded): string => `${model} ${JSON.stringify(layout)}`

const StrandedLayout = ({ stranded, open }: Props & { readonly stranded: Stranded }) => {
  const { model, layout, gpus, structural, byPlacement, because, on } = stranded
  const board = boardFor(model)
  const placed = layout.map(({ profile, start, size }) => ({ profile, placement: { start, size } }))
  return (
    <li className="grid gap-x-6 gap-y-2 py-3 md:grid-cols-[minmax(12rem,18rem)_minmax(0,1fr)]">
      <div className="grid content-start gap-1">
        {board !== undefined && <SlotRow board={board} layout={placed} look="quiet" />}
        <p className="font-mono text-12 text-ink-soft">{layout.map(({ profile }) => profile).join(' + ')}</p>
        <p className="text-12 text-ink-quiet">
          {model}, {plural(gpus, 'GPU')}
        </p>
      </div>
      <div className="grid content-start gap-1.5 text-13">
        <p>
          <span className="font-mono font-medium">{structural + byPlacement}</span>{' '}
          {agree(structural + byPlacement, 'compute slice')} stranded:{' '}
          <span className="text-ink-soft">
            {structural} by construction, {byPlacement} by placement
          </span>
        </p>
        <p className="max-w-2xl text-12 text-ink-soft">{because}</p>
        <p className="flex flex-wrap gap-x-3 gap-y-1 text-12">
          {[...new Set(on.map(({ node }) => node))].map((node) => (
            <button
              key={node}
              type="button"
              onClick={() => open(node)}
              className="min-h-6 max-w-full truncate underline decoration-line-strong decoration-dotted underline-offset-4 hover:decoration-solid"
            >
              <bdi>{node}</bdi>{' '}
              <span className="text-ink-quiet">
                GPU{' '}
                {on
                  .filter((each) => each.node === node)
                  .map(({ index }) => index)
                  .join(', ')}
              </span>
            </button>
          ))}
          {gpus > on.length && <span className="text-ink-quiet">and {gpus - on.length} more GPUs</span>}
        </p>
      </div>
    </li>
  )
}
