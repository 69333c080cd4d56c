import { OPERATOR, type Operator } from './operator.ts'
import type { Prose, ProsePart } from './prose.ts'

/** Built from what the operator told about themselves; what is not known is said to be so. */
export function contactProse(operator: Operator = OPERATOR): Prose {
  return {
    title: 'Contact',
    lead: 'Septet is run by whoever installed it. This page names them, and says where to report what.',
    parts: [whoRuns(operator), accounts(), mistakes(operator), security(operator)],
  }
}

function whoRuns({ name, email, imprint }: Operator): ProsePart {
  const known = [name, imprint].filter((line) => line !== undefined)
  return {
    title: 'Who runs this installation',
    paragraphs:
      known.length > 0
        ? known
        : [
            'Its operator has not said so yet. If that is you: your name and address go into the site’s content, operator.ts, and appear here with the next build.',
          ],
    ...mailLink(email),
  }
}

const accounts = (): ProsePart => ({
  title: 'Accounts and access',
  paragraphs: ['Who may sign in, roles, and what is kept about you are for whoever runs this installation to settle.'],
  links: [{ label: 'What is kept', href: '/privacy' }],
})

function mistakes({ repository }: Operator): ProsePart {
  return {
    title: 'Mistakes in Septet or on these pages',
    paragraphs: [
      repository === undefined
        ? 'Report them where this installation’s source was had from: the issues of the repository that was cloned. Say the version, what you saw and what you expected; for a figure, its receipt or its query.'
        : 'Report them with the version, what you saw and what you expected; for a figure, its receipt or its query.',
    ],
    ...(repository === undefined ? {} : { links: [{ label: 'Issues', href: `${repository}/issues` }] }),
  }
}

function security({ security: address, email }: Operator): ProsePart {
  return {
    title: 'Security',
    paragraphs: [
      'Report a weakness privately first, to whoever runs this installation, and to the maintainers of the source if it is in the software. Do not open a public issue for it, and do not try it on clusters that are not yours.',
    ],
    ...mailLink(address ?? email),
  }
}

const mailLink = (address: string | undefined): Pick<ProsePart, 'links'> =>
  address === undefined ? {} : { links: [{ label: address, href: `mailto:${address}` }] }
