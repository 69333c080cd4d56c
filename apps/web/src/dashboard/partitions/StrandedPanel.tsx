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
        {({ stranded, source, fleet }) =>
          stranded.length === 0 ? (
            <p className="max-w-3xl py-4 text-13 text-ink-soft">
              {nothingWords(source.kind, fleet)} {memoryWords(fleet)}
            </p>
          ) : (
            <>
              <p className="max-w-3xl pb-2 text-13 text-ink-soft">
                A slice is stranded when no MIG profile can use it next to the instances already on the GPU.{' '}
                {totalWords(stranded)} {memoryWords(fleet)}
              </p>
              <ul className="divide-y divide-line border-t border-line">
                {stranded.map((each) => (
                  <StrandedLayout key={keyOf(each)} stranded={each} open={open} />
                ))}
              </ul>
            </>
          )
        }
      </Answered>
    </Panel>
  )
}

function nothingWords(kind: Efficiency['source']['kind'], { gpus, structural }: Efficiency['fleet']): string {
  if (kind === 'sample') return 'Sample data has no layouts. Choose a cluster to see which layouts strand slices.'
  if (gpus === 0) return 'No GPU is partitioned, so no slice is stranded.'
  if (structural === null)
    return 'Stranded slices are counted over whole GPUs, which other namespaces share. Ask an admin for access to the whole cluster.'
  return 'No compute slice is stranded: every free slice fits some profile.'
}

const keyOf = ({ model, layout }: Stranded): string => `${model} ${JSON.stringify(layout)}`

function totalWords(all: readonly Stranded[]): string {
  const structural = all.reduce((sum, each) => sum + each.structural, 0)
  const byPlacement = all.reduce((sum, each) => sum + each.byPlacement, 0)
  const gpus = all.reduce((sum, each) => sum + each.gpus, 0)
  return `${plural(structural + byPlacement, 'compute slice')} on ${plural(gpus, 'GPU')}: ${structural} by construction (only other profiles fix that) and ${byPlacement} by placement (moving the instances fixes that).`
}

/** What the dots of the slice bars are: a bar is drawn in memory slices, and money counts compute slices. */
function memoryWords({ strandedMemory }: Efficiency['fleet']): string {
  if (strandedMemory === null || strandedMemory.slices === 0) return ''
  const { slices, gpus } = strandedMemory
  return `In memory, ${plural(slices, 'memory slice')} on ${plural(gpus, 'GPU')} ${agree(slices, 'is', 'are')} stranded and dotted on the bars and on the fleet map. Cost is by compute slice and does not include ${agree(slices, 'it', 'them')}.`
}

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
