// Written by scripts/screenshots.mjs.

/** Pictures of the running product by name: a file for each theme, and their size in pixels. */
export const SCREENSHOTS = {
  'summary-demo': {
    light: '/screenshots/summary-demo-light.webp',
    dark: '/screenshots/summary-demo-dark.webp',
    width: 1920,
    height: 1410,
  },
  'summary-demo-phone': {
    light: '/screenshots/summary-demo-phone-light.webp',
    dark: '/screenshots/summary-demo-phone-dark.webp',
    width: 780,
    height: 1040,
  },
  'summary-sample': {
    light: '/screenshots/summary-sample-light.webp',
    dark: '/screenshots/summary-sample-dark.webp',
    width: 1920,
    height: 1410,
  },
  'summary-sample-phone': {
    light: '/screenshots/summary-sample-phone-light.webp',
    dark: '/screenshots/summary-sample-phone-dark.webp',
    width: 780,
    height: 1040,
  },
  'partitions-demo': {
    light: '/screenshots/partitions-demo-light.webp',
    dark: '/screenshots/partitions-demo-dark.webp',
    width: 1280,
    height: 905,
  },
  'partitions-demo-phone': {
    light: '/screenshots/partitions-demo-phone-light.webp',
    dark: '/screenshots/partitions-demo-phone-dark.webp',
    width: 686,
    height: 915,
  },
} as const
