import { OPERATOR, type Operator } from './operator.ts'
import type { Prose, ProsePart } from './prose.ts'

/** Built from what the operator told about themselves; where they told nothing, it says who to turn to. */
export function contactProse(operator: Operator = OPERATOR): Prose {
  return {
    title: 'Contact',
    lead: 'Where to get help, report a bug, or disclose a vulnerability.',
    parts: [whoRuns(operator), accounts(), mistakes(operator), security(operator)],
  }
}

function whoRuns({ name, email, imprint }: Operator): ProsePart {
  const known = [name, imprint].filter((line) => line !== undefined)
  return {
    title: 'Help with this installation',
    paragraphs:
      known.length > 0
        ? known
        : [
            'Ask the team that gave you this address. They manage accounts and clusters here.',
            'Run this installation yourself? Add your contact details to apps/web/src/site/content/operator.ts, and the next build shows them here.',
          ],
    ...mailLink(email),
  }
}

const accounts = (): ProsePart => ({
  title: 'Accounts and privacy',
  paragraphs: ['The operator decides who can sign in, which role they get, and how long data is kept.'],
  links: [{ label: 'Privacy Policy', href: '/privacy' }],
})

function mistakes({ repository }: Operator): ProsePart {
  return {
    title: 'Report a bug',
    paragraphs: [
      repository === undefined
        ? 'Open an issue in the repository that Septet was cloned from. Include the version, what you expected, and what you saw. For a wrong number, add its receipt or query.'
        : 'Include the version, what you expected, and what you saw. For a wrong number, add its receipt or query.',
    ],
    ...(repository === undefined ? {} : { links: [{ label: 'Issues', href: `${repository}/issues` }] }),
  }
}

function security({ security: address, email }: Operator): ProsePart {
  return {
    title: 'Security',
    paragraphs: [
      'Report vulnerabilities privately: to the operator if this installation is affected, and to the repository’s maintainers if the software is. Please don’t open a public issue or test on clusters that aren’t yours.',
    ],
    ...mailLink(address ?? email),
  }
}

const mailLink = (address: string | undefined): Pick<ProsePart, 'links'> =>
  address === undefined ? {} : { links: [{ label: address, href: `mailto:${address}` }] }
