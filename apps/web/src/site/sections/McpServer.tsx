import { ROUTES, type Route } from '@septet/contract/routes'

import mcp from '../../../content/mcp.json'
import { Island } from '../Island.tsx'
import { EvidenceLink } from './EvidenceLink.tsx'
import { SiteFold } from './Fold.tsx'
import { Section } from './Section.tsx'

/** What can be asked about clusters, GPUs and what they cost. The contract has more, for accounts and settings. */
export const SHOWN_OPERATIONS: readonly Route[] = Object.values<Route>(ROUTES).filter(
  ({ reach }) => reach === 'namespaces',
)

/** How programs and agents ask: the faces, a client's configuration, and one call with its answer. */
export function McpServer() {
  const { client, ask } = mcp
  return (
    <Section head={mcp}>
      <Faces />
      <div className="mt-5 grid gap-x-10 gap-y-6 lg:grid-cols-2">
        <div className="min-w-0">
          <h3 className="text-16 font-semibold tracking-tight">{client.title}</h3>
          <p className="mt-0.5 mb-3 text-13 text-ink-soft">
            {client.note} <EvidenceLink href={client.more.href}>{client.more.label}</EvidenceLink>
          </p>
          <Json label="The client's configuration" lines={client.config} />
        </div>
        <div className="min-w-0">
          <h3 className="text-16 font-semibold tracking-tight">{ask.title}</h3>
          <p className="mt-0.5 mb-3 text-13 text-ink-soft">
            {ask.note} <EvidenceLink href={ask.more.href}>{ask.more.label}</EvidenceLink>
          </p>
          <Island name="copyCommand" props={{ command: ask.command }} />
          <div className="mt-3">
            <SiteFold title={ask.fold}>
              <div className="mt-3">
                <Json label="The answer" lines={ask.answer} />
              </div>
            </SiteFold>
            <div className="-mt-px">
              <SiteFold title={`${SHOWN_OPERATIONS.length} operations about GPUs`}>
                <Operations />
              </SiteFold>
            </div>
          </div>
        </div>
      </div>
    </Section>
  )
}

function Json({ label, lines }: { readonly label: string; readonly lines: readonly string[] }) {
  return (
    <pre
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls where the screen is narrow
      tabIndex={0}
      aria-label={label}
      className="overflow-x-auto rounded-control border border-line bg-sunken px-4 max-sm:whitespace-pre-wrap py-3 font-mono text-12 leading-normal text-ink-soft sm:text-13"
    >
      {lines.join('\n')}
    </pre>
  )
}

/** The faces side by side, as the instances of one GPU. */
function Faces() {
  return (
    <ul className="mt-5 grid gap-x-1 gap-y-1.5 grid-cols-2 md:mt-6 lg:grid-cols-5">
      {mcp.faces.map(({ name, text }) => (
        <li key={name} className="min-w-0">
          <div className="hidden h-5 rounded-[3px] bg-busy lg:block" />
          <div className="border-l-2 border-busy pl-3 lg:mt-2 lg:border-l-0 lg:pl-0.5">
            <h3 className="text-14 font-semibold">{name}</h3>
            <p className="pr-4 text-13 text-pretty text-ink-soft">{text}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}

function Operations() {
  return (
    <ul>
      {SHOWN_OPERATIONS.map(({ name, method, path }) => (
        <li
          key={name}
          className="grid gap-x-4 border-b border-line py-1.5 font-mono text-13 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-baseline"
        >
          <span>{name}</span>
          <span className="text-12 break-all text-ink-quiet sm:text-right sm:break-normal">
            {method} {path}
          </span>
        </li>
      ))}
    </ul>
  )
}
