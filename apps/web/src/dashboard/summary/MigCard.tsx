import type { Answer } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { FigureText } from '../../ui/FigureText.tsx'
import { ChevronDownIcon } from '../../ui/icons.tsx'
import { MIG_NUMBERS } from '../words/mig-numbers.ts'
import { StatCard } from './StatCard.tsx'

type Mig = Answer<'summaryGet'>['mig']

/** There is no agreed definition of MIG efficiency, so the one number opens into the four that it cannot replace. */
export function MigCard({ mig }: { readonly mig: Mig }) {
  return (
    <StatCard
      title="MIG Efficiency"
      aside={<FourNumbers mig={mig} />}
      headline={<FigureText figure={mig.headline} name="MIG efficiency" size="headline" />}
      note={mig.note}
    >
      <SevenMeter value={mig.headline.value ?? undefined} />
      <p className="mt-2 flex min-h-5 items-baseline justify-between gap-3 text-12 text-ink-soft">
        {mig.headline.quality !== 'sample' && (
          <>
            busy while held
            <FigureText figure={mig.busy} name="Slice busy" />
          </>
        )}
      </p>
    </StatCard>
  )
}

const FourNumbers = ({ mig }: { readonly mig: Mig }) => (
  <Card
    label="The four numbers of MIG efficiency"
    trigger={
      <Button look="quiet" className="-mr-2 min-h-6 px-1.5 text-12">
        4 numbers <ChevronDownIcon />
      </Button>
    }
  >
    <p className="mb-3 text-12 text-ink-soft">It takes four numbers to say how well MIG is used.</p>
    <dl className="grid gap-2.5">
      {MIG_NUMBERS.map(({ key, name, words }) => (
        <div key={key} className="flex items-start justify-between gap-4">
          <dt>
            <span className="block font-medium">{name}</span>
            <span className="block text-12 text-ink-quiet">{words}</span>
          </dt>
          <dd>
            <FigureText figure={mig[key]} name={name} />
          </dd>
        </div>
      ))}
    </dl>
  </Card>
)

/** Where the seven segments start, grouped four, two and one as in the logo, in percent of the width. */
const SEGMENTS = [0, 13.6, 27.2, 40.8, 57.4, 71, 87.6]
const WIDTH = 12.4
const HEIGHT = 18

/** A share of compute slices, filled slice by slice. Decoration for a figure that is written beside it. */
function SevenMeter({ value }: { readonly value: number | undefined }) {
  return (
    <svg aria-hidden width="100%" height={HEIGHT} className="block">
      {SEGMENTS.map((from, index) => {
        const share = value === undefined ? 0 : Math.min(1, Math.max(0, value * SEGMENTS.length - index))
        return (
          <g key={from}>
            <rect
              x={`${from}%`}
              width={`${WIDTH}%`}
              height={HEIGHT}
              rx="2.5"
              fill={value === undefined ? 'url(#texture-unknown)' : 'var(--busy-soft)'}
            />
            {share > 0 && (
              <rect x={`${from}%`} width={`${WIDTH * share}%`} height={HEIGHT} rx="2.5" fill="var(--busy)" />
            )}
          </g>
        )
      })}
    </svg>
  )
}
