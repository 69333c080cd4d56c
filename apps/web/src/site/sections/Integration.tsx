import { INTEGRATION, INTEGRATION_STEPS, NEIGHBORS, type Neighbor } from '../content/integration.ts'
import { Island } from '../Island.tsx'
import { EvidenceLink } from './EvidenceLink.tsx'
import { Fold } from './Fold.tsx'
import { IntegrationScore } from './IntegrationScore.tsx'
import { Planned } from './Planned.tsx'
import { Section } from './Section.tsx'
import { SectionHead } from './SectionHead.tsx'

/** How Septet stands beside Karpenter: three steps with their times, and what is read of whom. */
export function Integration() {
  const { title, lead, times, measured } = INTEGRATION
  return (
    <Section id="integration" labeledBy="integration-title">
      <SectionHead id="integration-title" title={title} lead={lead} />
      <ol className="mt-8 grid gap-x-8 gap-y-10 md:mt-14 lg:grid-cols-3">
        {INTEGRATION_STEPS.map((step) => (
          <li key={step.step} className="flex min-w-0 flex-col border-t border-line-strong pt-5">
            <div className="flex items-baseline justify-between gap-4">
              <h3 className="text-20 font-semibold tracking-tight">
                <span aria-hidden className="mr-2.5 font-mono text-14 font-normal text-ink-quiet">
                  {step.step}
                </span>
                {step.title}
              </h3>
              <p className="font-mono text-13 whitespace-nowrap text-busy-ink">{step.time}</p>
            </div>
            <IntegrationScore step={step} steps={INTEGRATION_STEPS} />
            <p className="mt-3 mb-4 grow text-14 text-pretty text-ink-soft">{step.description}</p>
            <Island name="copyCommand" props={{ command: step.command }} />
          </li>
        ))}
      </ol>
      <p className="mt-4 text-13 text-ink-quiet">
        {times} <EvidenceLink href={measured.href}>{measured.text}</EvidenceLink>
      </p>
      <div className="mt-10 grid gap-x-8 gap-y-8 md:mt-14 md:gap-y-10 lg:grid-cols-3">
        {NEIGHBORS.map((neighbor) => (
          <Facts key={neighbor.name} neighbor={neighbor} />
        ))}
      </div>
    </Section>
  )
}

function Facts({ neighbor: { name, role, facts } }: { readonly neighbor: Neighbor }) {
  return (
    <div className="min-w-0">
      <h3 className="text-16 font-semibold tracking-tight max-sm:mb-3">
        {name} <span className="font-normal text-ink-quiet">{role}</span>
      </h3>
      <Fold title={facts.every(({ planned }) => planned) ? 'What is planned' : 'What Septet reads of it'}>
        <dl className="sm:mt-3">
          {facts.map(({ what, use, planned = false }) => (
            <div key={what} className="border-line py-2.5 not-first:border-t sm:first:border-t">
              <dt className="flex items-center gap-2.5 font-mono text-13 break-words">
                {what}
                {planned && <Planned />}
              </dt>
              <dd className="text-13 text-pretty text-ink-soft">{use}</dd>
            </div>
          ))}
        </dl>
      </Fold>
    </div>
  )
}
