import integration from '../../../content/integration.json'
import { filled } from '../content.ts'
import { Island } from '../Island.tsx'
import { EvidenceLink } from './EvidenceLink.tsx'
import { SiteFold } from './Fold.tsx'
import { Section } from './Section.tsx'

const content = filled(integration)

/** How Septet works alongside Karpenter: three steps with their times, and what is read of whom. */
export function Integration() {
  const { steps, fold, measured, neighbors } = content
  return (
    <Section head={content}>
      <ol className="mt-5 grid gap-x-8 gap-y-5 md:mt-6 lg:grid-cols-3">
        {steps.map((step) => (
          <li key={step.step} className="flex min-w-0 flex-col border-t border-line-strong pt-3">
            <div className="flex items-baseline justify-between gap-4">
              <h3 className="text-16 font-semibold tracking-tight md:text-20">
                <span aria-hidden className="mr-2.5 font-mono text-14 font-normal text-ink-quiet">
                  {step.step}
                </span>
                {step.title}
              </h3>
              <p className="font-mono text-13 whitespace-nowrap text-busy-ink">{step.time}</p>
            </div>
            <p className="mt-1.5 mb-2 grow text-14 max-sm:text-13 text-pretty text-ink-soft">
              {step.description}
              {step.how !== undefined && (
                <>
                  {' '}
                  <a href={step.how.href} className="text-ink underline underline-offset-4">
                    {step.how.text}
                  </a>
                  .
                </>
              )}
            </p>
            <Island name="copyCommand" props={{ command: step.command }} />
          </li>
        ))}
      </ol>
      <p className="mt-3 mb-3">
        <EvidenceLink href={measured.href}>{measured.text}</EvidenceLink>
      </p>
      <SiteFold title={fold}>
        <div className="mt-4 grid gap-x-8 gap-y-6 lg:grid-cols-3">
          {neighbors.map((neighbor) => (
            <Facts key={neighbor.name} neighbor={neighbor} />
          ))}
        </div>
      </SiteFold>
    </Section>
  )
}

function Facts({ neighbor: { name, role, facts } }: { readonly neighbor: (typeof content.neighbors)[number] }) {
  return (
    <div className="min-w-0">
      <h3 className="text-16 font-semibold tracking-tight">
        {name} <span className="font-normal text-ink-quiet">{role}</span>
      </h3>
      <dl className="mt-2">
        {facts.map(({ what, use }) => (
          <div key={what} className="border-t border-line py-2">
            <dt className="font-mono text-13 break-words">{what}</dt>
            <dd className="text-13 text-pretty text-ink-soft">{use}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
