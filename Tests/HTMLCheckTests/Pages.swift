import HTMLCheck

enum Pages {
    /// A page with this content in its main element, below the h1 on line 10.
    static func page(_ main: String, head: String = "") -> String {
        """
        <!DOCTYPE html>
        <html xmlns="http://www.w3.org/1999/xhtml" lang="en" xml:lang="en">
        <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <title>A page</title>\(head)
        </head>
        <body>
        <main>
        <h1>A page</h1>
        \(main)
        </main>
        </body>
        </html>

        """
    }

    static func faults(_ page: String) -> [String] {
        PageChecker().check(Array(page.utf8)).faults.map(\.description)
    }

    /// A page with everything that a page may contain.
    static let card = """
        <!DOCTYPE html>
        <html xmlns="http://www.w3.org/1999/xhtml" lang="en" xml:lang="en" data-theme="dark">
        <head>
        <meta charset="utf-8"/>
        <meta http-equiv="Content-Security-Policy" content="default-src 'self'"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <title>Rick &amp; Co</title>
        <meta property="og:title" content="Rick"/>
        <link rel="stylesheet" href="../style.css"/>
        <link rel="alternate" hreflang="x-default" href="../card.html"/>
        <style>p { color: red }</style>
        <link rel="icon" href="../icon.png" type="image/png" sizes="32x32"/>
        <script src="../app.js" defer=""></script>
        <script type="application/ld+json">{"@context":"https://schema.org","name":"a \\u003c b"}</script>
        </head>
        <body class="card">
        <a href="#content">Skip to the content</a>
        <header><nav aria-label="Site"><ul><li><a href="../index.html" aria-current="page">Home</a></li></ul></nav></header>
        <main id="content" tabindex="-1">
        <h1>Rick</h1>
        <form action="../search.html" role="search">
        <label for="q">Search</label> <input id="q" type="search" name="q" placeholder="A name" list="names"/>
        <datalist id="names"><option value="Rick">Rick</option></datalist>
        <label><input type="checkbox" name="alive" checked="checked"/> Alive</label>
        <select name="status" aria-label="Status"><option value="">Any</option><optgroup label="Living"><option>Alive</option></optgroup></select>
        <button type="submit">Search</button>
        <fieldset><legend>Theme</legend><label><input type="radio" name="theme" value="dark"/> Dark</label></fieldset>
        <output for="q" aria-live="polite"></output> <progress max="10" value="5">5</progress> <meter value="0.5">half</meter>
        <textarea name="note" rows="2" aria-label="Note">x</textarea>
        </form>
        <figure itemscope="" itemtype="https://schema.org/Person">
        <picture><source srcset="a.webp 300w, b.webp 600w" sizes="50vw" type="image/webp"/><img src="a.png" alt="Rick" width="300" height="300" loading="lazy" decoding="async"/></picture>
        <figcaption itemprop="name">Rick</figcaption>
        </figure>
        <dl><div><dt>Status</dt><dd>Alive</dd></div><div><dt>Species</dt><dd>Human</dd></div></dl>
        <dl><dt>Born</dt><dd><time datetime="2013-12-02">December 2, 2013</time></dd></dl>
        <h2 id="episodes">Episodes</h2>
        <table><caption>Episodes</caption><colgroup><col/></colgroup><thead><tr><th scope="col" id="c">Name</th></tr></thead><tbody><tr><td headers="c">Pilot</td></tr></tbody></table>
        <ol start="1" reversed="reversed"><li value="3"><a href="https://example.org/" target="_blank" rel="noopener external">Out</a></li></ol>
        <details><summary>More</summary><p>Text <em>and</em> <strong>more</strong><br/><a href="1.html"><img src="b.png" alt="One" width="1" height="1"/></a></p></details>
        <p lang="ru" xml:lang="ru">Текст</p>
        <span><svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16"><title>Star</title><defs><linearGradient id="g"><stop offset="0" stop-color="red"/></linearGradient></defs><path d="M0 0h16" fill="url(#g)"/><text x="1" y="2">a<tspan>b</tspan></text></svg></span>
        <dialog aria-label="Keys"><p>Press <kbd>k</kbd></p></dialog>
        </main>
        <footer><nav aria-label="More"><a href="../about.html#us">About</a></nav></footer>
        </body>
        </html>

        """
}

extension PageReport {
    var shownLinks: [String] {
        var links: [String] = []
        forEachLink { target, line in links.append("\(line) \(String(decoding: target, as: UTF8.self))") }
        return links
    }
}
