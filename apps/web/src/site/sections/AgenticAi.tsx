import { AGENTIC, AGENTIC_BARS, AGENTIC_LINES, AGENTIC_STEPS, type AgenticStep } from '../content/agentic.ts'
import { Island } from '../Island.tsx'
import { EvidenceLink } from './EvidenceLink.tsx'
import { PlanBars } from './PlanBars.tsx'
import { Section } from './Section.tsx'
import { SectionHead } from './SectionHead.tsx'

/** What Septet does without being asked, how far it goes today, and a plan in its own words. */
export function AgenticAi() {
  const { title, lead, demo, loop, more } = AGENTIC
  return (
    <Section id="agentic-ai" labeledBy="agentic-ai-title">
      <SectionHead id="agentic-ai-title" title={title} lead={lead} />
      <div className="mt-5 grid gap-x-10 gap-y-6 md:mt-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,8fr)]">
        <ol className="border-t border-line-strong">
          {AGENTIC_STEPS.map((step, index) => (
            <Step key={step.title} step={step} number={index + 1} />
          ))}
        </ol>
        <div>
          <div className="rounded-card border border-line bg-surface">
            <Island name="typingDemo" props={{ title: demo.title, lines: AGENTIC_LINES }} />
            <PlanBars bars={AGENTIC_BARS} />
          </div>
          <div className="mt-3 flex flex-wrap items-baseline gap-x-6 gap-y-2 text-13 text-ink-quiet">
            <p className="mr-auto">{demo.note}</p>
            <EvidenceLink href={more.href}>{more.label}</EvidenceLink>
            <Island name="planLoop" when="touch" props={loop} className="has-[figure]:basis-full" />
          </div>
        </div>
      </div>
    </Section>
  )
}

function Step({ step: { title, text }, number }: { readonly step: AgenticStep; readonly number: number }) {
  return (
    <li className="grid grid-cols-[2rem_minmax(0,1fr)] gap-y-0.5 border-b border-line py-2.5">
      <span aria-hidden className="font-mono text-13 leading-6 text-ink-quiet">
        {number}
      </span>
      <h3 className="flex items-center gap-2.5 text-16 font-semibold tracking-tight">{title}</h3>
      <p className="col-start-2 text-14 text-pretty text-ink-soft">{text}</p>
    </li>
  )
}
