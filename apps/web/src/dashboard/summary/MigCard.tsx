import type { Answer } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { FigureText } from '../../ui/FigureText.tsx'
import { ChevronDownIcon } from '../../ui/icons.tsx'
import { SevenMeter } from '../../ui/SevenMeter.tsx'
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
      <SevenMeter value={mig.headline.value ?? undefined} height={18} />
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

const PARTS = [
  { key: 'coverage', name: 'Slice coverage', words: 'of compute slices are in MIG instances' },
  { key: 'allocation', name: 'Slice allocation', words: 'of those are held by workloads' },
  { key: 'busy', name: 'Slice busy', words: 'of those are busy' },
  {
    key: 'fragmentation',
    name: 'Fragmentation',
    words: 'of free slices fit no profile, averaged over profiles',
  },
] as const satisfies readonly { readonly key: keyof Mig; readonly name: string; readonly words: string }[]

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
      {PARTS.map(({ key, name, words }) => (
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
