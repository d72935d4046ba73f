// Pages of somebody else that hold players, each on an origin of its own.
import * as http from 'node:http';
import { equal } from './harness.mjs';

/** The element's script, as such a page names it. */
export const script = (t) => `<script type="module" src="${t.url}hotkv-player.js"></script>`;
export const tall = '<p style="height: 2000px">above</p>';
export const below = '<p style="height: 2000px">below</p>';

function startHost(body) {
  const server = http.createServer((request, response) => {
    const known = request.url === '/';
    response.writeHead(known ? 200 : 204, { 'content-type': 'text/html; charset=utf-8' });
    response.end(known ? `<!doctype html><title>Host</title>${body}` : '');
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const url = `http://localhost:${server.address().port}/`;
      resolve({ url, stop: () => server.close() });
    });
  });
}

/** Uses a page with this body; its console must have nothing to say. */
export async function onHost(t, body, use, options) {
  const host = await startHost(body);
  try {
    const page = await t.open(host.url, options);
    await use(page);
    equal(page.faults, [], 'console');
  } finally {
    await t.closePages();
    host.stop();
  }
}
