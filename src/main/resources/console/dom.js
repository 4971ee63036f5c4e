// The only place that makes elements. What is shown becomes text, never HTML: ids and details come from whoever sends requests.

export const by = (id) => document.getElementById(id);

/** An element with attributes and children; text children are text. Listeners are given as functions under on<event>. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) {
      continue;
    }
    if (typeof value === 'function') {
      element.addEventListener(key.slice(2), value);
    } else {
      element.setAttribute(key, value === true ? '' : String(value));
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== ''));
  return element;
}

/** Puts children in, and the focus back on the element with the same data-key as the one that had it. */
export function fill(parent, ...children) {
  const focused = parent.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  const scrolled = parent.scrollTop;
  parent.replaceChildren(...children.flat(Infinity));
  parent.scrollTop = scrolled;
  if (focused !== undefined) {
    [...parent.querySelectorAll('[data-key]')].find((element) => element.dataset.key === focused)?.focus({ preventScroll: true });
  }
}

/** A list of names and values. */
export function facts(rows) {
  return make('dl', { class: 'facts' }, rows.filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
}

export function status(name, text) {
  return make('span', { class: `status ${/^[A-Z_]+$/.test(name) ? name : ''}` }, text);
}
