import { FACES, MCP } from '../content/mcp.ts'
import { SHOWN_OPERATIONS } from '../content/operations.ts'
import { Island } from '../Island.tsx'
import { EvidenceLink } from './EvidenceLink.tsx'
import { Fold } from './Fold.tsx'
import { Section } from './Section.tsx'
import { SectionHead } from './SectionHead.tsx'

/** What an agent can ask: the operations as they are today, how to ask one, and which faces are there. */
export function McpServer() {
  const { title, lead, ask, list } = MCP
  return (
    <Section id="mcp" labeledBy="mcp-title">
      <SectionHead id="mcp-title" title={title} lead={lead} />
      <Faces />
      <div className="mt-10 grid gap-x-10 gap-y-10 lg:grid-cols-2">
        <div className="min-w-0">
          <h3 className="text-16 font-semibold tracking-tight">{ask.title}</h3>
          <p className="mt-1 mb-4 text-13 text-ink-quiet">{ask.note}</p>
          <Island name="copyCommand" props={{ command: ask.command }} />
          <pre
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls where the screen is narrow
            tabIndex={0}
            aria-label="The answer"
            className="mt-3 overflow-x-auto rounded-card border border-line bg-sunken p-4 font-mono text-13 leading-relaxed text-ink-soft"
          >
            {ask.answer}
          </pre>
        </div>
        <div className="min-w-0">
          <h3 className="text-16 font-semibold tracking-tight max-sm:mb-3">{list.title}</h3>
          <Fold title={`The ${SHOWN_OPERATIONS.length} operations`}>
            <Operations />
          </Fold>
          <p className="mt-4">
            <EvidenceLink href={list.more.href}>{list.more.label}</EvidenceLink>
          </p>
        </div>
      </div>
    </Section>
  )
}

/** The faces side by side, as the instances of one GPU. */
function Faces() {
  return (
    <ul className="mt-8 grid gap-1 sm:grid-cols-2 md:mt-14 lg:grid-cols-5">
      {FACES.map(({ name, text }) => (
        <li key={name} className="min-w-0">
          <div className="hidden h-7 rounded-[3px] bg-busy lg:block" />
          <div className="border-l-2 border-busy py-1 pl-3 lg:mt-3 lg:border-l-0 lg:py-0 lg:pl-0.5">
            <h3 className="text-14 font-semibold">{name}</h3>
            <p className="mt-0.5 pr-4 text-13 text-pretty text-ink-soft">{text}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}

function Operations() {
  return (
    <ul className="sm:mt-3">
      {SHOWN_OPERATIONS.map(({ name, method, path, effect }) => (
        <li
          key={name}
          className="grid gap-x-4 border-t border-line py-1.5 font-mono text-13 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-baseline"
        >
          <span>{name}</span>
          <span className="text-12 break-all text-ink-quiet sm:text-right sm:break-normal">
            {method} {path}
          </span>
          {effect !== 'read' && (
            <span className="font-sans text-12 text-ink-quiet sm:col-span-2">
              writes to Septet, never to the cluster
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
