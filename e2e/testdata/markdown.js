// Reads Markdown from standard input as other programs do, with HTML and links allowed, and prints the HTML in it and
// the targets of its links and pictures.
const parser = require(process.argv[2])({html: true, linkify: true})
parser.validateLink = () => true
const found = {html: [], links: [], images: []}
const walk = tokens => {
  for (const token of tokens) {
    if (token.type === 'html_block' || token.type === 'html_inline') found.html.push(token.content)
    if (token.type === 'link_open') found.links.push(token.attrGet('href'))
    if (token.type === 'image') found.images.push(token.attrGet('src'))
    walk(token.children || [])
  }
}
walk(parser.parse(require('fs').readFileSync(0, 'utf8'), {}))
console.log(JSON.stringify(found))
