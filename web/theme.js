// Applies the chosen theme before the first paint, and wires the button that chooses it. A classic
// script in the head, on purpose: a module would run after the page was painted in the other theme.
(() => {
  const KEY = 'hotkv-theme';
  const THEMES = ['auto', 'light', 'dark'];

  // Storage may be forbidden (a sandboxed frame); then the choice lasts as long as the page.
  function remembered() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  }

  function remember(theme) {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      return;
    }
  }

  function apply(theme) {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }

  let theme = THEMES.includes(remembered()) ? remembered() : 'auto';
  apply(theme);

  document.addEventListener('DOMContentLoaded', () => {
    const buttons = document.querySelectorAll('[data-part=theme]');
    const show = () => {
      for (const button of buttons) {
        button.lastElementChild.textContent = button.dataset[theme];
        button.title = button.dataset[theme];
      }
    };
    show();
    for (const button of buttons) {
      button.hidden = false;
      button.addEventListener('click', () => {
        theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
        apply(theme);
        remember(theme);
        show();
      });
    }
  });
})();
