import content from '../../../content/platforms.json'
import { Glyph } from '../../ui/Glyph.tsx'
import { namedEntry } from '../content.ts'
import { SiteFold } from './Fold.tsx'
import { Mark } from './Mark.tsx'
import { Section } from './Section.tsx'

/** What Septet reads, runs on and answers, each with a mark of its kind and how it was tested. */
export function PlatformWall() {
  const { fold, tried, platforms } = content
  return (
    <Section head={content}>
      <ul className="mt-5 grid grid-cols-2 border-t border-l border-line sm:grid-cols-3 md:mt-6 lg:grid-cols-6">
        {platforms.map((platform) => (
          <Name key={platform.name} platform={platform} />
        ))}
      </ul>
      <ul className="mt-3 mb-3 flex flex-wrap gap-x-6 gap-y-1 text-13 text-ink-soft">
        {Object.values(tried).map(({ words, mark }) => (
          <li key={words} className="flex items-center gap-2">
            <Mark look={mark} />
            {words}
          </li>
        ))}
      </ul>
      <SiteFold title={fold}>
        <dl className="mt-3 grid gap-x-10 sm:grid-cols-2">
          {platforms.map(({ name, how }) => (
            <div key={name} className="border-b border-line py-2 text-13">
              <dt className="font-medium">{name}</dt>
              <dd className="text-pretty text-ink-soft">{how}</dd>
            </div>
          ))}
        </dl>
      </SiteFold>
    </Section>
  )
}

function Name({ platform: { name, logo, mark, tried } }: { readonly platform: (typeof content.platforms)[number] }) {
  return (
    <li className="flex items-center gap-2 border-r border-b border-line px-2.5 py-2.5 md:gap-2.5 md:px-4 md:py-3.5">
      <span className="shrink-0 text-ink-soft max-sm:hidden">
        <Glyph path={namedEntry(content.icons, mark)} box={20} />
      </span>
      <h3 className="min-w-0 grow text-13 leading-tight md:text-14 font-semibold tracking-tight">
        {logo === name ? (
          name
        ) : (
          <abbr title={name} className="no-underline">
            {logo}
          </abbr>
        )}
        <span className="sr-only">: {namedEntry(content.tried, tried).words}</span>
      </h3>
      <Mark look={namedEntry(content.tried, tried).mark} />
    </li>
  )
}
