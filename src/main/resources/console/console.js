// The page: signs in, keeps everything fresh, and follows what is chosen.

import { Refused, Stream, ask, path, token } from './link.js';
import { by, fill, make, status } from './dom.js';
import { apply, since, swap, words } from './words.js';
import * as overview from './overview.js';
import * as story from './story.js';
import * as operate from './operate.js';

const STATES = ['PENDING', 'GENERATING', 'ACKNOWLEDGED', 'HELD', 'COMPENSATING', 'COMMITTED', 'FAILED'];
const BEAT = 500;
/** Milliseconds between two looks, with the stream and without: it does not tell of figures and duplicates. */
const LOOK = { overview: [3000, 2000], requests: [5000, 2000], request: [30000, 2000] };

const looked = { overview: 0, requests: 0, request: 0 };
let on = false;
let live = false;
let reachable = true;
let roles = [];
let caller = '';
let chosen = '';
let shown;
let listed = [];

function soon(...what) {
  what.forEach((each) => { looked[each] = 0; });
}

function tellLink() {
  const text = !reachable ? words().unreachable : (live ? words().live : words().polling);
  if (by('link').textContent !== text) {
    by('link').textContent = text;
  }
  by('who').textContent = words().as(caller, roles.join(', '));
}

const stream = new Stream((event) => {
  soon('requests');
  if (event.request_id === chosen) {
    soon('request');
  }
}, (now) => {
  if (live !== now) {
    live = now;
    // What came between the last look and the connection.
    soon('overview', 'requests', 'request');
    tellLink();
  }
});

async function lookAtOverview() {
  const { body } = await ask('/v1/overview');
  roles = body.caller.roles;
  caller = body.caller.name;
  by('logout').hidden = !token.get();
  overview.show(body);
  tellLink();
}

function again(request) {
  const w = words();
  const counts = [request.duplicates ? w.dup(request.duplicates) : '', request.rejected ? w.rej(request.rejected) : ''].filter(Boolean);
  return counts.length ? make('span', { class: 'again' }, counts.join(', ')) : make('span', {}, w.first);
}

function showList() {
  fill(by('requests'), listed.map((request) => make('li', {}, make('a', {
    href: `#/${encodeURIComponent(request.request_id)}`, 'data-key': request.request_id, 'aria-current': request.request_id === chosen ? 'true' : undefined,
  },
  make('span', { class: 'id' }, request.request_id),
  make('span', { class: 'more' }, status(request.status ?? '', words().states[request.status] ?? request.status ?? words().not_known), again(request),
    make('span', {}, words().ago(since(request.at))))))));
  by('none').hidden = listed.length > 0;
  by('none').textContent = by('state').value ? words().none_in_state : words().none;
}

async function lookAtRequests() {
  const state = by('state').value;
  const { body } = await ask(`/v1/requests?recent=${by('count').value}${state ? `&state=${state}` : ''}`);
  const times = (list) => list.find((one) => one.request_id === chosen)?.at;
  if (times(listed) !== times(body.requests)) {
    soon('request');
  }
  listed = body.requests;
  showList();
}

function showRequest() {
  if (shown?.view) {
    operate.show(shown.view, roles, showRequest);
  } else {
    operate.nothing();
  }
  by('payload').disabled = !roles.includes('payload');
  by('payload-why').textContent = roles.includes('payload') ? '' : words().no_payload_role;
  story.show(shown?.view, shown?.trail);
}

async function lookAtRequest() {
  const id = chosen;
  if (!id) {
    return;
  }
  const [view, trail] = await Promise.allSettled([ask(path(id)), ask(`${path(id)}/events`)]);
  if (id !== chosen) {
    return;
  }
  shown = { view: view.value?.body, trail: trail.value?.body ?? shown?.trail };
  by('request-problem').textContent = view.reason?.message ?? trail.reason?.message ?? '';
  showRequest();
  const broken = [view, trail].map((one) => one.reason).find((reason) => reason && (!(reason instanceof Refused) || reason.status === 401));
  if (broken) {
    throw broken;
  }
}

async function payload() {
  const id = chosen;
  const told = await ask(`${path(id)}?payload=true`).then(({ body }) => JSON.stringify(body, null, 2), (failed) => failed.message);
  if (id === chosen) {
    by('content').textContent = told;
    by('content').hidden = false;
  }
}

/** What stands behind the # is the request that is shown, so that it can be sent to a colleague. */
function choose(focus) {
  let id;
  try {
    id = decodeURIComponent(location.hash.replace(/^#\/?/, ''));
  } catch {
    id = '';
  }
  if (id !== chosen) {
    chosen = id;
    shown = undefined;
    story.clear(id);
    operate.clear();
    by('request').hidden = !id;
    showList();
    soon('request');
    if (id && focus) {
      by('request-title').focus();
    }
  }
}

async function look() {
  const every = live ? 0 : 1;
  const looks = { overview: lookAtOverview, requests: lookAtRequests, request: lookAtRequest };
  for (const [what, act] of Object.entries(looks)) {
    if (Date.now() - looked[what] >= LOOK[what][every]) {
      looked[what] = Date.now();
      await act();
    }
  }
}

async function beat() {
  if (on && !document.hidden) {
    try {
      await look();
      reachable = true;
    } catch (failed) {
      // An answer that is a refusal is an answer; one for now, such as while stores move, is asked for again.
      reachable = failed instanceof Refused;
      if (failed.status === 401 || failed.status === 403) {
        leave(failed.message);
      }
    }
    tellLink();
  }
  setTimeout(beat, BEAT);
}

function leave(why) {
  on = false;
  live = false;
  stream.stop();
  by('console').hidden = true;
  by('login').hidden = false;
  by('login-why').textContent = why;
  by('token').value = '';
  by('token').focus();
}

async function enter() {
  try {
    await lookAtOverview();
  } catch (failed) {
    if (failed instanceof Refused && (failed.status === 401 || failed.status === 403)) {
      leave(token.get() ? failed.message : words().login_needed);
      return;
    }
    reachable = failed instanceof Refused;
  }
  by('login').hidden = true;
  by('console').hidden = false;
  on = true;
  soon('requests', 'request');
  stream.start();
}

function translate() {
  apply();
  const any = by('state').value;
  fill(by('state'), make('option', { value: '' }, words().any_state), STATES.map((state) => make('option', { value: state }, words().states[state])));
  by('state').value = any;
  overview.show();
  showList();
  showRequest();
  tellLink();
}

function listen() {
  const submit = (form, act) => by(form).addEventListener('submit', (event) => {
    event.preventDefault();
    act();
  });
  submit('login', () => {
    token.set(by('token').value.trim());
    enter();
  });
  submit('search', () => {
    location.hash = `#/${encodeURIComponent(by('find').value.trim())}`;
    soon('request');
  });
  submit('operate', () => {});
  by('language').addEventListener('click', () => {
    swap();
    translate();
  });
  by('logout').addEventListener('click', () => {
    token.set('');
    location.hash = '';
    location.reload();
  });
  by('payload').addEventListener('click', payload);
  ['count', 'state'].forEach((field) => by(field).addEventListener('change', () => soon('requests')));
  window.addEventListener('hashchange', () => choose(true));
  // A tab nobody looks at holds no stream, of which an instance serves only so many.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || !on) {
      stream.stop();
      live = false;
    } else {
      soon('overview', 'requests', 'request');
      stream.start();
    }
  });
}

listen();
translate();
choose(false);
await enter();
beat();
