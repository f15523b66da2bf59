// The site of the documentation: the pages of docs as they are, with a search that needs no
// server. `make site` builds it.
import { readFileSync, existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const docs = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const tools = path.resolve(docs, '../out/site-tools/node_modules')
const repository = 'https://github.com/skewsim/skewsim/blob/main/'

// title is the heading of a page, up to its colon.
function title(file) {
  const heading = readFileSync(path.join(docs, file), 'utf8').split('\n', 1)[0]
  return heading.replace(/^# /, '').replace(/: .*/, '').replaceAll('`', '')
}

// sidebar follows the lists of docs/README.md, the entrance: a heading is a group.
function sidebar() {
  const groups = []
  for (const line of readFileSync(path.join(docs, 'README.md'), 'utf8').split('\n')) {
    const heading = line.match(/^## (.*)/)
    if (heading) groups.push({ text: heading[1], items: [] })
    if (groups.length === 0) continue
    for (const [, file] of line.matchAll(/\]\(([^)#:]*\.md)\)/g)) {
      groups.at(-1).items.push({ text: title(file), link: '/' + file.replace(/\.md$/, '') })
    }
  }
  groups.push({ text: 'Glossary', link: '/glossary' })
  return groups
}

// outside sends links to files that are no pages of the site to the repository.
function outside(md) {
  md.core.ruler.push('outside', (state) => {
    const dir = path.dirname(state.env.path)
    for (const token of state.tokens.flatMap((t) => t.children ?? [])) {
      const href = token.type === 'link_open' && token.attrGet('href')
      if (!href || /^(#|[a-z]+:)/.test(href)) continue
      const [file, anchor] = href.split('#')
      const target = path.resolve(dir, decodeURI(file))
      const isPage = target.startsWith(docs + path.sep) && (/\.(md|html)$/.test(target))
      if (!isPage && existsSync(target)) {
        token.attrSet('href', repository + path.relative(path.dirname(docs), target) + (anchor ? '#' + anchor : ''))
      }
    }
  })
}

// slug is the anchor of a heading as GitHub makes it, so that a link works in both places.
function slug(heading) {
  return heading.trim().toLowerCase().replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '').replace(/\s/g, '-')
}

export default {
  title: 'skewsim',
  description: 'Tests whether API objects survive upgrade, rollback and upgrade again.',
  srcDir: docs,
  srcExclude: ['site/**', 'examples/**'],
  outDir: path.resolve(docs, '../out/site'),
  cacheDir: path.resolve(docs, '../out/site-cache'),
  rewrites: { 'README.md': 'index.md' },
  cleanUrls: false,
  // Wide tables and the text of --help get the room of the outline.
  transformPageData(page) {
    if (/^(findings|reference\/(cli\/|causes))/.test(page.relativePath)) page.frontmatter.aside = false
  },
  head: [['style', {}, '.VPDoc:not(.has-aside) .content, .VPDoc:not(.has-aside) .content-container { max-width: 1040px !important }']],
  vite: { resolve: { alias: { vue: path.join(tools, 'vue'), '@vue': path.join(tools, '@vue') } } },
  markdown: { anchor: { slugify: slug }, config: outside },
  themeConfig: {
    search: { provider: 'local' },
    sidebar: sidebar(),
    outline: 'deep',
    nav: [{ text: 'README', link: repository + 'README.md' }],
  },
}
