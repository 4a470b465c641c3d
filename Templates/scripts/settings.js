/* The settings page. Shows the form and stores each choice at once. */
(function () {
  'use strict';

  const form = document.querySelector('form.settings');
  if (!form) return;

  const status = form.querySelector('[data-status]');

  function say(text) {
    status.textContent = text;
  }

  function show(name, usual) {
    const kept = amber.store.get(name) ?? usual;
    for (const radio of form.elements[name]) radio.checked = radio.value === kept;
  }

  function onChange(event) {
    const { name, value } = event.target;
    if (name === 'theme') amber.useTheme(value);
    say(amber.store.set(name, value) ? '' : amber.text('notKept'));
  }

  function clearHistory() {
    say(amber.text(amber.store.remove(amber.historyName) ? 'historyCleared' : 'notKept'));
  }

  show('theme', 'system');
  show('reading', 'on');
  form.addEventListener('change', onChange);
  form.querySelector('[data-action="clear-history"]').addEventListener('click', clearHistory);
  for (const note of document.querySelectorAll('p[data-without-scripts]')) note.remove();
  form.hidden = false;
})();
