import { COPILOT, COPILOT_EXAMPLES } from '../content/copilot.ts'
import { Island } from '../Island.tsx'
import { EvidenceLink } from './EvidenceLink.tsx'
import { Section } from './Section.tsx'
import { SectionHead } from './SectionHead.tsx'

/** Four questions with their answers, one at a time. */
export function CopilotDemo() {
  const { title, lead, more } = COPILOT
  return (
    <Section id="copilot" labeledBy="copilot-title">
      <SectionHead
        id="copilot-title"
        title={title}
        lead={
          <>
            {lead} <EvidenceLink href={more.href}>{more.label}</EvidenceLink>
          </>
        }
      />
      <Island name="copilotDemo" props={{ examples: COPILOT_EXAMPLES }} className="mt-4" />
    </Section>
  )
}
