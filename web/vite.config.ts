import { defineConfig } from 'vite';

// Where `npm run dev` sends what is not the dashboard itself.
const server = process.env.UNDERSTUDY_URL ?? 'http://127.0.0.1:8096';

export default defineConfig(({ command }) => ({
  // Built files name each other relatively: the server may lie below a base URL that only it knows.
  base: command === 'serve' ? '/dashboard/' : './',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    target: ['chrome107', 'firefox104', 'safari16'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // the page's policy allows files of this server alone
    reportCompressedSize: false,
  },
  server: { proxy: { '^/(?!dashboard/)': { target: server, ws: true } } },
  test: { include: ['tests/unit/*.test.ts'] },
}));
