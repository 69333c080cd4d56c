import type { BlockView, GpuView } from '@septet/contract'

import agentic from '../../../content/agentic.json'
import { SliceBar } from '../../ui/SliceBar.tsx'
import { Island } from '../Island.tsx'
import { EvidenceLink } from './EvidenceLink.tsx'
import { Section } from './Section.tsx'

/** What Septet does without being asked, how far it goes today, and a plan in its own words. */
export function AgenticAi() {
  const { id, title, lead, steps, demo, loop, evidence, lines, bars } = agentic
  return (
    <Section head={{ id, title, lead }}>
      <div className="mt-5 grid gap-x-10 gap-y-6 md:mt-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,8fr)]">
        <ol className="border-t border-line-strong">
          {steps.map(({ title: does, text }, index) => (
            <li key={does} className="grid grid-cols-[2rem_minmax(0,1fr)] gap-y-0.5 border-b border-line py-2.5">
              <span aria-hidden className="font-mono text-13 leading-6 text-ink-quiet">
                {index + 1}
              </span>
              <h3 className="flex items-center gap-2.5 text-16 font-semibold tracking-tight">{does}</h3>
              <p className="col-start-2 text-14 text-pretty text-ink-soft">{text}</p>
            </li>
          ))}
        </ol>
        <div>
          <div className="rounded-card border border-line bg-surface">
            <Island name="typingDemo" props={{ title: demo.title, lines: lines }} />
            <PlanBars bars={bars} />
          </div>
          <div className="mt-3 flex flex-wrap items-baseline gap-x-6 gap-y-2 text-13 text-ink-quiet">
            <p className="mr-auto">{demo.note}</p>
            <EvidenceLink href={evidence.href}>{evidence.text}</EvidenceLink>
            <Island name="planLoop" when="touch" props={loop} className="has-[figure]:basis-full" />
          </div>
        </div>
      </div>
    </Section>
  )
}

/** One GPU, before the plan or after it. */
type Bar = (typeof agentic.bars)[number]

/** GPUs before and after a plan, drawn to scale. */
function PlanBars({ bars }: { readonly bars: readonly Bar[] }) {
  return (
    <ul className="grid grid-cols-3 gap-x-3 border-t border-line p-4 sm:gap-x-8 sm:px-5">
      {bars.map((bar) => (
        <li key={bar.label}>
          <p className="mb-1.5 text-12 text-ink-quiet sm:text-13">{bar.label}</p>
          <SliceBar gpu={drawn(bar)} height={26} />
          <p aria-hidden className="mt-1 font-mono text-12 max-sm:hidden text-ink-quiet">
            {bar.instances
              .map(({ profile, holder }) => (holder === undefined ? profile : `${profile} ${holder}`))
              .join(' + ')}
          </p>
        </li>
      ))}
    </ul>
  )
}

const drawn = ({ label, instances }: Bar): GpuView => ({
  id: label,
  index: 0,
  model: 'A100-40GB',
  mode: 'mig',
  slots: 8,
  fault: null,
  blocks: instances.map(({ profile, start, size, holder }): BlockView => ({
    kind: holder === undefined ? 'free' : 'unknown',
    start,
    size,
    profile,
    placement: 'reported',
    busy: null,
    holder: holder ?? null,
    because: holder === undefined ? null : 'a drawing, not a measurement',
  })),
})
