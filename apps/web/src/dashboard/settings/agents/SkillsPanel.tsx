import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { skillPath, SKILLS } from './skills.ts'

/** What a coding agent is taught, as files that it takes over. */
export const SkillsPanel = () => (
  <Panel title="Skills for coding agents">
    <p className="mb-3 max-w-3xl text-13 text-ink-soft">
      Each is a Markdown file that teaches an agent one job with Septet’s tools. Save it as NAME/SKILL.md where your
      agent looks for skills.
    </p>
    <ul className="divide-y divide-line border-t border-line">
      {SKILLS.map(({ name, title, words }) => (
        <li
          key={name}
          className="grid gap-x-6 gap-y-1 py-2.5 text-13 sm:grid-cols-[9rem_minmax(0,1fr)_auto] sm:items-baseline"
        >
          <a
            href={skillPath(name)}
            className="justify-self-start rounded-control text-accent-ink underline underline-offset-2"
          >
            {title}
          </a>
          <span className="text-ink-soft">{words}</span>
          <span className="-ml-1.5 sm:ml-0">
            <CopyButton label="Copy address" text={() => new URL(skillPath(name), location.origin).href} />
          </span>
        </li>
      ))}
    </ul>
  </Panel>
)
