import { COPILOT, COPILOT_EXAMPLES } from '../content/copilot.ts'
import { Island } from '../Island.tsx'
import { Section } from './Section.tsx'
import { SectionHead } from './SectionHead.tsx'

/** Four questions with their answers, one at a time, and how it answers. */
export function CopilotDemo() {
  return (
    <Section id="copilot" labeledBy="copilot-title">
      <SectionHead id="copilot-title" title={COPILOT.title} lead={COPILOT.lead} />
      <p className="mt-8 border-l-2 border-busy pl-3 text-14 text-pretty text-ink-soft">
        <b className="font-medium text-busy-ink">{COPILOT.status}</b> {COPILOT.note}{' '}
        <a href={COPILOT.more.href} className="text-busy-ink underline decoration-dotted underline-offset-4">
          {COPILOT.more.label}
        </a>
      </p>
      <Island name="copilotDemo" props={{ examples: COPILOT_EXAMPLES }} className="mt-8" />
    </Section>
  )
}
