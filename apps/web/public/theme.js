// No flash: before the first paint.
try {
  const theme = localStorage.getItem('septet-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {}
