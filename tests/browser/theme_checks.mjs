// The colours of the page: light, dark, remembered.
import { check, equal, test } from './harness.mjs';

test('theme: follows the system, and the choice is remembered', async (t) => {
  const page = await t.session('locks/', { context: { colorScheme: 'dark' } });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await page.click('[data-part="theme"]');
  const light = await ground();
  check(dark !== light, 'the theme did not change');
  await page.reload();
  equal(await ground(), light, 'after loading again');
});
