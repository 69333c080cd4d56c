import copilot from '../../../content/copilot.json'
import features from '../../../content/features.json'
import partitioning from '../../../content/partitioning.json'
import { filled } from '../content.ts'
import { Island } from '../Island.tsx'
import { AgenticAi } from '../sections/AgenticAi.tsx'
import { Analytics } from '../sections/Analytics.tsx'
import { Comparison } from '../sections/Comparison.tsx'
import { EvidenceCards } from '../sections/EvidenceCards.tsx'
import { HeroSection } from '../sections/Hero.tsx'
import { Integration } from '../sections/Integration.tsx'
import { LogoStrip } from '../sections/LogoStrip.tsx'
import { McpServer } from '../sections/McpServer.tsx'
import { PlatformWall } from '../sections/PlatformWall.tsx'
import { Pricing } from '../sections/Pricing.tsx'
import { Section } from '../sections/Section.tsx'
import { ClaimStrip, Statistics } from '../sections/Statistics.tsx'
import { Testimonials } from '../sections/Testimonials.tsx'

/** The landing page: the specification's sections in its order; header and footer are the layout's. */
export function Home() {
  return (
    <>
      <HeroSection />
      <ClaimStrip />
      <LogoStrip />
      {BELOW.map((Part) => (
        <div key={Part.name} className="later">
          <Part />
        </div>
      ))}
    </>
  )
}

/** The six promises, each with its evidence. */
const Features = () => (
  <Section head={features}>
    <div className="mt-5 md:mt-6">
      <EvidenceCards cards={filled(features.cards)} title="h3" />
    </div>
  </Section>
)

/** Four questions with their answers, one at a time. */
const CopilotDemo = () => (
  <Section head={copilot}>
    <Island name="copilotDemo" props={{ examples: copilot.examples }} className="mt-4" />
  </Section>
)

/** What MIG can cut a GPU into, to be tried by hand. */
function Partitioning() {
  const { id, title, lead, ...explorer } = partitioning
  return (
    <Section head={{ id, title, lead }}>
      <Island name="partitionExplorer" props={explorer} className="mt-5 md:mt-6" />
    </Section>
  )
}

const BELOW = [
  Features,
  Comparison,
  CopilotDemo,
  Testimonials,
  Partitioning,
  Integration,
  PlatformWall,
  McpServer,
  AgenticAi,
  Analytics,
  Statistics,
  Pricing,
] as const
