// Opens a dashboard in Chromium and watches the preview in its frame.
// Usage: node open_in_frame.mjs PACKAGES DASHBOARD STRANGER SCREENSHOTS
// Says "shown" when the first text is there; then waits for the second, which must come without
// another load. At the end one line of JSON.
import { createRequire } from "node:module";

const [packages, dashboard, stranger, screenshots] = process.argv.slice(2);
const { chromium } = createRequire(packages + "/")("playwright-core");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
try {
  const page = await browser.newPage();
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  await page.goto(dashboard);
  const frame = page.frameLocator("#preview");
  await frame.locator("#app", { hasText: "before the edit" }).waitFor({ timeout: 60000 });
  const inner = page.frames().find((one) => one !== page.mainFrame());
  const born = await inner.evaluate(() => window.born);
  // Vite's own socket is there: what changes now is told.
  for (let i = 0; i < 600 && !said.includes("[vite] connected."); ++i) await page.waitForTimeout(100);
  if (!said.includes("[vite] connected.")) throw new Error("no hot reload: " + said.join("\n"));
  await page.screenshot({ path: `${screenshots}/before.png` });
  console.log("shown");
  await frame.locator("#app", { hasText: "after the edit" }).waitFor({ timeout: 60000 });
  const after = await inner.evaluate(() => window.born);
  await page.screenshot({ path: `${screenshots}/after.png` });
  const elsewhere = await browser.newPage();
  await elsewhere.goto(stranger);
  await elsewhere.waitForTimeout(1500);
  const framed = await elsewhere.frames().at(-1).locator("#app").count().catch(() => 0);
  console.log(JSON.stringify({ born, after, framed, url: inner.url(), said }));
} finally {
  await browser.close();
}
