import { AgenticAi } from '../sections/AgenticAi.tsx'
import { Analytics } from '../sections/Analytics.tsx'
import { ClaimStrip } from '../sections/ClaimStrip.tsx'
import { Comparison } from '../sections/Comparison.tsx'
import { CopilotDemo } from '../sections/CopilotDemo.tsx'
import { Features } from '../sections/Features.tsx'
import { Hero } from '../sections/Hero.tsx'
import { Integration } from '../sections/Integration.tsx'
import { LogoStrip } from '../sections/LogoStrip.tsx'
import { McpServer } from '../sections/McpServer.tsx'
import { Partitioning } from '../sections/Partitioning.tsx'
import { PlatformWall } from '../sections/PlatformWall.tsx'
import { Pricing } from '../sections/Pricing.tsx'
import { Statistics } from '../sections/Statistics.tsx'
import { Testimonials } from '../sections/Testimonials.tsx'

/** The landing page: the specification's sections in its order; header and footer are the layout's. */
export function Home() {
  return (
    <>
      <Hero />
      <ClaimStrip />
      <LogoStrip />
      {BELOW.map((Section) => (
        <div key={Section.name} className="later">
          <Section />
        </div>
      ))}
    </>
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
