import type { FigureView } from '@septet/contract'
import { isIdleKnown } from '@septet/domain'
import { percent, short, wholePercent } from '@septet/domain/words'

import type { Answer } from '../../api.ts'
import { Bone } from '../../ui/Bone.tsx'
import { FigureText } from '../../ui/FigureText.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { LOOK, Swatch } from '../../ui/Swatch.tsx'
import { To } from '../address/To.tsx'
import { PanelEmpty } from '../panel/PanelEmpty.tsx'

type Cost = Answer<'summaryGet'>['cost']

/** Where the paid GPU time went: parts that add up to the capacity, drawn to scale. */
export function CostPanel({ cost }: { readonly cost: Cost | undefined }) {
  return (
    <Panel title="Where capacity went" aside={cost !== undefined && cost.hours !== null && IDLEST}>
      {cost === undefined && <Bone className="h-85" />}
      {cost !== undefined && <Division cost={cost} />}
    </Panel>
  )
}

/** Who left the most of it idle, first. */
const IDLEST = (
  <To path="/cost" more={{ sort: '-idle' }} look="tool">
    Idle by namespace
  </To>
)

function Division({ cost }: { readonly cost: Cost }) {
  if (cost.hours === null)
    return <PanelEmpty>Sample data has no cost breakdown. Choose a cluster to see where its GPU-hours go.</PanelEmpty>
  const isOfNamespaces = cost.hours.unallocated === null
  if (cost.hours.capacity === 0) {
    const nothing = isOfNamespaces ? 'Your namespaces held no GPU in this window.' : 'No GPU was seen in this window.'
    return <PanelEmpty>{nothing}</PanelEmpty>
  }
  const parts = costParts(cost, cost.hours)
  const priced = cost.capacity.value !== null
  return (
    <>
      <div className="mb-2">
        <PartsBar parts={parts} words={parts.map(({ name, share }) => `${name} ${percent(share)}`).join(', ')} />
      </div>
      <table className="w-full text-13">
        <thead className="text-12 text-ink-quiet">
          <tr className="h-7">
            <th className="text-left font-normal">Part</th>
            <th className="text-right font-normal">GPU-h</th>
            {priced && <th className="pl-3 text-right font-normal">Cost</th>}
            <th className="pl-3 text-right font-normal">{priced ? 'Of cost' : 'Share'}</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-y border-line">
          {parts.map((part) => (
            <PartRow key={part.key} part={part} priced={priced} />
          ))}
        </tbody>
        <tfoot className="font-medium">
          <tr className="h-8.5">
            <th scope="row" className="text-left font-medium">
              {isOfNamespaces ? 'Held' : 'Capacity'}
            </th>
            <td className="figure text-right font-mono text-12">{short(cost.hours.capacity)}</td>
            {priced && (
              <td className="pl-3 text-right">
                <FigureText
                  figure={cost.capacity}
                  name={isOfNamespaces ? 'Cost of what was held' : 'Cost of capacity'}
                />
              </td>
            )}
            <td className="pl-3 text-right font-mono text-12">100%</td>
          </tr>
        </tfoot>
      </table>
      <Outside cost={cost} />
    </>
  )
}

/** Parts of a whole side by side, to scale, in the colors and textures of the slice bar; `words` say the same. */
function PartsBar({ parts, words }: { readonly parts: readonly CostPart[]; readonly words: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn inline, so that it follows the theme
    <div role="img" aria-label={words} className="flex h-7 gap-px">
      {parts.map(
        ({ key, drawn, meaning }) =>
          drawn > 0 && (
            <svg
              key={key}
              aria-hidden
              height="28"
              style={{ width: `${drawn * 100}%` }}
              className="block min-w-0.5 shrink"
            >
              <rect
                x="0.5"
                y="0.5"
                height="27"
                rx="2"
                fill={LOOK[meaning].fill}
                stroke={LOOK[meaning].stroke}
                style={{ width: 'calc(100% - 1px)' }}
              />
            </svg>
          ),
      )}
    </div>
  )
}

function PartRow({ part, priced }: { readonly part: CostPart; readonly priced: boolean }) {
  return (
    <tr className="h-8.5">
      <th scope="row" className="text-left font-normal">
        <span className={`flex items-center gap-2 ${part.key === 'unmeasured' ? 'pl-4.5 text-12 text-ink-soft' : ''}`}>
          <Swatch meaning={part.meaning} />
          {part.name}
        </span>
      </th>
      <td className="figure text-right font-mono text-12 text-ink-soft">
        {part.known ? short(part.gpuHours) : !priced && <NotMeasured />}
      </td>
      {priced && (
        <td className="pl-3 text-right">
          <FigureText figure={part.cost} name={part.name} />
        </td>
      )}
      <td className="figure pl-3 text-right font-mono text-12 text-ink-quiet">
        {part.known && wholePercent(part.share)}
      </td>
    </tr>
  )
}

const NotMeasured = () => <span className="font-sans text-12 text-ink-quiet">Not measured</span>

/** What the division leaves out, so that nobody has to guess. */
function Outside({ cost }: { readonly cost: Cost }) {
  const sentences = [
    ...(cost.unpricedGpuHours > 0
      ? [`${short(cost.unpricedGpuHours)} GPU-h have no price and are missing from the amounts.`]
      : []),
    ...(cost.hours?.unallocated === null
      ? ['Covers what your namespaces held. Unallocated capacity is not included.']
      : []),
  ]
  return sentences.length === 0 ? undefined : (
    <p className="mt-auto pt-2.5 text-12 text-ink-quiet">{sentences.join(' ')}</p>
  )
}

type Hours = NonNullable<Cost['hours']>

type CostPart = {
  readonly key: Exclude<keyof Hours, 'capacity'>
  readonly name: string
  readonly meaning: 'busy' | 'idle' | 'free' | 'stranded' | 'oversized' | 'broken' | 'unknown' | 'others'
  /** Whether it was measured at all: where it was not, its amount is no 0. */
  readonly known: boolean
  readonly gpuHours: number
  readonly cost: FigureView
  /** Of the cost of the capacity; of its GPU-hours where there is no price. */
  readonly share: number
  /** Its length in the bar: as `share`, but what was not measured is drawn apart from the rest of what was used. */
  readonly drawn: number
}

/** What capacity is divided into, in the order in which it is drawn; `unmeasured` is a part of `used`, told below it. */
const CAPACITY_PARTS = [
  { key: 'used', name: 'Used', meaning: 'busy' },
  { key: 'unmeasured', name: 'not measured', meaning: 'unknown' },
  { key: 'oversized', name: 'Oversized', meaning: 'oversized' },
  { key: 'idleHeld', name: 'Idle-held', meaning: 'idle' },
  { key: 'unallocated', name: 'Unallocated', meaning: 'free' },
  { key: 'stranded', name: 'Stranded', meaning: 'stranded' },
  { key: 'broken', name: 'Broken', meaning: 'broken' },
  { key: 'unrequested', name: 'Used without a request', meaning: 'others' },
  { key: 'unobserved', name: 'Not observed', meaning: 'unknown' },
] as const

/** They have no row while there is none of them. */
const RARE: ReadonlySet<string> = new Set(['unmeasured', 'unrequested', 'unobserved'])
const NEEDS_TELEMETRY: ReadonlySet<string> = new Set(['idleHeld', 'oversized'])

/**
 * The parts of capacity, in the order of the bar. They add up to it; what was not measured is a part of `used`. What
 * nobody held has no row in a view of some namespaces, whose capacity is what these held.
 */
export function costParts(cost: Cost, hours: Hours): readonly CostPart[] {
  const amountOf = (key: keyof Hours): number => (cost.capacity.value === null ? hours[key] : cost[key].value) ?? 0
  const capacity = amountOf('capacity')
  const shareOf = (amount: number): number => (capacity === 0 ? 0 : amount / capacity)
  return CAPACITY_PARTS.flatMap((row) => {
    const gpuHours = hours[row.key]
    if (gpuHours === null || (RARE.has(row.key) && gpuHours === 0)) return []
    const amount = amountOf(row.key)
    const drawn = shareOf(row.key === 'used' ? amount - amountOf('unmeasured') : amount)
    const known = !NEEDS_TELEMETRY.has(row.key) || isIdleKnown(hours)
    return { ...row, known, gpuHours, cost: cost[row.key], share: shareOf(amount), drawn }
  })
}
