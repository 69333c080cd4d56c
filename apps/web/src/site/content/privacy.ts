import type { Prose } from './prose.ts'

export const PRIVACY: Prose = {
  title: 'Privacy Policy',
  lead: 'What this self-hosted software keeps about people, where, and for how long. Whoever runs this installation is responsible for it; the authors of Septet receive nothing from it.',
  parts: [
    {
      title: 'No tracking',
      paragraphs: [
        'These pages load nothing from any other origin: no analytics, no advertising, no fonts or scripts from elsewhere. Septet does not call home and does not look for updates.',
      ],
    },
    {
      title: 'In your browser',
      paragraphs: [
        'All three are needed for what they do, and none of them follows you anywhere. The sign-in page also writes and removes one test entry, septet-probe, to see whether a session could be kept.',
      ],
      rows: [
        {
          name: 'septet-theme',
          text: 'Local storage. Light or dark, once you chose one; gone when you choose “as the system”.',
        },
        {
          name: 'septet-auth',
          text: 'Local storage. Your session after signing in: access and refresh token, and your account as the sign-in service describes it. Removed on signing out.',
        },
        {
          name: 'septet-page',
          text: 'Cookie for /dashboard, unreadable to scripts and never sent from other sites. It lets the server hand out dashboard pages, lives as long as the access token, and opens nothing else.',
        },
      ],
    },
    {
      title: 'On the server, about people',
      rows: [
        {
          name: 'Account',
          text: 'Mail address, password as an argon2id hash, when it was made, confirmed, invited and last used.',
        },
        {
          name: 'Session',
          text: 'When it began and was refreshed, network address and browser name, and how you signed in. Removed on signing out, and after 30 days without use.',
        },
        { name: 'Second factor', text: 'The name you gave it and its secret, encrypted.' },
        { name: 'Member', text: 'Role and namespaces that an admin gave to an address.' },
        {
          name: 'API token',
          text: 'Name, first characters, keyed hash, role, scope, who made it and when it was last used. Never the token itself.',
        },
        {
          name: 'Audit log',
          text: 'Who did what, when, from which network address, and whether it was refused. A chain of hashes: entries cannot be taken out later without it showing.',
        },
        {
          name: 'Letters',
          text: 'Mails that the service wrote: to whom, when, about what, and whether they went out. Kept for 7 days. Their text is kept only while no mail server is set, for the admin to hand on.',
        },
      ],
    },
    {
      title: 'On the server, about clusters',
      paragraphs: [
        'Names of nodes, namespaces, workloads and pods, what GPUs they held and how busy these were. Names can say something about the people who chose them. Septet reads no Secrets, no logs and nothing inside containers.',
      ],
    },
    {
      title: 'What leaves the server',
      paragraphs: [
        'Requests to the Kubernetes API, the metrics engine and the exporters that the operator named; mail, if a mail server is set; and, if a hosted sign-in project is set, requests to it. In that case addresses, passwords and sessions are kept there, under that project’s own policy.',
      ],
    },
    {
      title: 'How long, and your rights',
      paragraphs: [
        'An account stays until an admin deletes it; its sessions and factors go with it, its entries in the audit log stay. Usage is kept in five-minute rows for 3 days, hourly for 40 and daily for 800; the names in it stay in a dictionary that is not cleaned. To see, correct or delete what is kept about you, ask whoever runs this installation.',
      ],
      links: [{ label: 'Contact', href: '/contact' }],
    },
  ],
}
