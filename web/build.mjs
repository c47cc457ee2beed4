// Bundles src/ and writes web_assets.cc, the dashboard as one C++ source. With --tests: bundles the
// tests of the logic into test/ instead, for node's own runner.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const shared = {
  bundle: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
};

async function bundleTests() {
  rmSync('test', { recursive: true, force: true });
  const tests = readdirSync('src', { recursive: true }).filter((name) => /_test\.tsx?$/.test(name));
  await build({
    ...shared,
    entryPoints: tests.map((name) => `src/${name}`),
    outdir: 'test',
    platform: 'node',
    outExtension: { '.js': '.mjs' },
  });
}

const mediaTypes = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const digest = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 20);

// "\377\213": octal escapes end after three digits, whatever follows.
function literal(bytes) {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 4096) {
    let text = '';
    for (const byte of bytes.subarray(at, at + 4096)) {
      const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c && byte !== 0x3f;
      text += plain ? String.fromCharCode(byte) : '\\' + byte.toString(8).padStart(3, '0');
    }
    lines.push(`    "${text}"`);
  }
  return lines.join('\n');
}

function source(files) {
  const rows = files.map(({ path, bytes }) => {
    const gzip = gzipSync(bytes, { level: 9 });
    const keep = path === '/' ? 'kAsk' : 'kForever';
    const type = mediaTypes[path === '/' ? '.html' : extname(path)];
    return `  {"${path}", "${type}", "\\"${digest(bytes)}\\"", WebAsset::Keep::${keep}, std::string_view(
${literal(gzip)},
    ${gzip.length})},`;
  });
  return `// Made of web/ by build.mjs.
// Longer texts than every compiler must take; ours do.
#pragma GCC diagnostic ignored "-Woverlength-strings"
#include "serve/web_assets.h"

namespace cordon::serve {

const std::vector<WebAsset>& WebAssets() {
  static const std::vector<WebAsset> all = {
${rows.join('\n')}
  };
  return all;
}

}  // namespace cordon::serve
`;
}

async function bundle() {
  rmSync('dist', { recursive: true, force: true });
  const icon = readFileSync('src/icon.svg');
  const iconPath = `/assets/icon-${digest(icon)}.svg`;
  const result = await build({
    ...shared,
    entryPoints: { main: 'src/main.tsx' },
    outdir: 'dist/assets',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    minify: true,
    splitting: true,
    legalComments: 'linked',
    metafile: true,
    write: false,
  });
  const built = result.outputFiles.filter((file) => !file.path.endsWith('.txt'));
  const named = (ending) => {
    const file = built.find((one) => new RegExp(`/main-[^/]*\\${ending}$`).test(one.path));
    return `/assets/${basename(file.path)}`;
  };
  const page = readFileSync('src/index.html', 'utf8')
    .replace('{{script}}', named('.js'))
    .replace('{{style}}', named('.css'))
    .replace('{{icon}}', iconPath);
  const files = [
    { path: '/', bytes: Buffer.from(page) },
    { path: iconPath, bytes: icon },
    ...built.map((file) => ({
      path: `/assets/${basename(file.path)}`,
      bytes: Buffer.from(file.contents),
    })),
  ];
  mkdirSync('dist/assets', { recursive: true });
  for (const { path, bytes } of files) {
    writeFileSync(path === '/' ? 'dist/index.html' : `dist${path}`, bytes);
  }
  writeFileSync('web_assets.cc', source(files));
}

await (process.argv.includes('--tests') ? bundleTests() : bundle());
