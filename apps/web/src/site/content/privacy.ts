import type { Prose } from './prose.ts'

export const PRIVACY: Prose = {
  title: 'Privacy Policy',
  lead: 'What this self-hosted software stores about people, where, and for how long. Its operator is responsible for the data; the authors of Septet receive none of it.',
  parts: [
    {
      title: 'No tracking',
      paragraphs: [
        'These pages load nothing from other origins: no analytics, ads, fonts, or scripts. Septet doesn’t call home or check for updates.',
      ],
    },
    {
      title: 'In your browser',
      paragraphs: [
        'All three are functional, and none tracks you. The sign-in page also writes and removes a test entry, septet-probe, to check whether the browser can keep a session.',
      ],
      rows: [
        {
          name: 'septet-theme',
          text: 'Local storage. Your theme, light or dark. Removed when you follow the system theme.',
        },
        {
          name: 'septet-auth',
          text: 'Local storage. Your session: access token, refresh token, and account details. Removed when you sign out.',
        },
        {
          name: 'septet-page',
          text: 'Cookie for /dashboard, HttpOnly and same-site. It lets the server serve dashboard pages, lives as long as the access token, and grants nothing else.',
        },
      ],
    },
    {
      title: 'On the server, about people',
      rows: [
        {
          name: 'Account',
          text: 'Email address, password as an argon2id hash, and when it was created, confirmed, invited, and last used.',
        },
        {
          name: 'Session',
          text: 'Start and refresh times, IP address, browser, and sign-in method. Removed when you sign out, or after 30 days without use.',
        },
        { name: 'Second factor', text: 'Its name and its secret, encrypted.' },
        { name: 'Member', text: 'The role and namespaces that an admin gave to an email address.' },
        {
          name: 'API token',
          text: 'Name, first characters, keyed hash, role, scope, creator, and last use. Never the token itself.',
        },
        {
          name: 'Audit log',
          text: 'Who did what, when, from which IP address, and whether it was denied. Entries are hash-chained, so removing one shows.',
        },
        {
          name: 'Email',
          text: 'Recipient, time, subject, and delivery status of email that Septet sent. Kept for 7 days. The text is kept only while no mail server is configured, so an admin can forward it.',
        },
      ],
    },
    {
      title: 'On the server, about clusters',
      paragraphs: [
        'Names of nodes, namespaces, workloads, and pods, which GPUs they held, and how busy those were. Names can reveal something about the people who chose them. Septet doesn’t read Secrets, logs, or anything inside containers.',
      ],
    },
    {
      title: 'What leaves the server',
      paragraphs: [
        'Requests to the Kubernetes API, the metrics store, and the exporters that the operator configured. Email, if a mail server is configured. Sign-in requests, if a hosted auth project is configured; accounts and sessions then live there, under its own policy.',
      ],
    },
    {
      title: 'Retention and your rights',
      paragraphs: [
        'An account stays until an admin deletes it, along with its sessions and second factors. Audit log entries stay. Usage is kept in five-minute rows for 3 days, hourly for 40, and daily for 800; names in it stay in a dictionary that is never purged. To see, correct, or delete your data, ask the operator.',
      ],
      links: [{ label: 'Contact', href: '/contact' }],
    },
  ],
}
