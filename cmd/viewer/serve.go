package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"viewer/assets"
	"viewer/internal/failure"
	"viewer/internal/serve"
	"viewer/internal/sitegen"
	"viewer/internal/storage"
)

type serveFlags struct {
	siteFlags
	watchFlags
	host    string
	port    int
	anyPort bool // another port may be used if the usual one is taken, since none was given
	allowed []string
	open    bool
	noWatch bool
}

// usualPort is used while it is free: browsers remember theme and level of a site by its address.
const usualPort = 4880

func newServe(u *ui) *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "serve [SOURCE...]",
		Short: "Show sessions in a browser while they run",
		Long: `serve builds a site, keeps it up to date, and serves it to a browser. Open pages follow
running sessions without a reload. The site is kept in your cache folder, unless -o
names another one. Only this machine can read it, by its address or as localhost,
unless --host and --allowed-host change that.`,
		Example: `  viewer serve --open
  viewer serve ~/.claude/projects/-home-mara-tides --port 8080
  viewer serve --no-watch -o site      an existing site`,
		RunE: func(c *cobra.Command, args []string) error {
			f.anyPort = !c.Flags().Changed("port")
			return serveSite(c.Context(), u, f, args)
		},
	}
	c.Flags().StringVarP(&f.out, "output", "o", "", "folder to keep the site in, instead of the cache folder")
	c.Flags().StringVar(&f.host, "host", "127.0.0.1", "`ADDRESS` to listen on")
	c.Flags().IntVar(&f.port, "port", usualPort, "`PORT` to listen on, 0 for any free port")
	c.Flags().StringArrayVar(&f.allowed, "allowed-host", nil,
		"host `NAME` that requests may have, besides localhost; may be repeated")
	c.Flags().BoolVar(&f.open, "open", false, "open the site in a browser")
	c.Flags().BoolVar(&f.noWatch, "no-watch", false, "serve an existing site, and build nothing")
	c.Flags().StringVar(&f.notes, "notes", "",
		"let pages add notes to `FILE` (JSON)")
	f.siteFlags.add(c)
	f.watchFlags.add(c)
	return c
}

func serveSite(ctx context.Context, u *ui, f serveFlags, sources []string) error {
	if err := f.complete(sources); err != nil {
		return err
	}
	l, err := f.listen()
	if err != nil {
		return err
	}
	defer l.Close()
	o := serve.Options{Dir: f.out, Hosts: f.allowed, Report: u.complain, Style: serveFile(assets.Stylesheet())}
	if f.noWatch {
		return f.run(ctx, u, l, serve.New(o), func(ctx context.Context) { <-ctx.Done() })
	}
	o.Live = []serve.File{serveFile(assets.LiveScript()), serveFile(assets.LiveStylesheet())}
	if f.notes != "" {
		o.Write = func(data []byte) error { return sitegen.AddNote(f.notes, data) }
	}
	s := serve.New(o)
	b := newRebuilder(u, f.siteFlags, sources)
	b.onChanged, b.onAllChanged = s.Announce, s.AnnounceAll
	w := b.newWatcher(ctx, f.watchFlags)
	report, err := b.firstBuild(ctx)
	if err != nil {
		return err
	}
	summarize(u, report)
	for _, s := range sources {
		if storage.IsAddress(s) {
			u.line("%s is not watched: new sessions there are shown after the next start", storage.Words(s))
		}
	}
	return f.run(ctx, u, l, s, func(ctx context.Context) {
		b.prefetch(ctx)
		w.Run(ctx)
		if err := b.close(); err != nil {
			u.complain(err)
		}
	})
}

func serveFile(f assets.File) serve.File { return serve.File{Name: f.Name, Text: f.Text} }

// complete checks the flags and finds a folder for the site.
func (f *serveFlags) complete(sources []string) error {
	if err := f.watchFlags.check(); err != nil {
		return err
	}
	if err := onDisk([]string{f.out}); err != nil {
		return err
	}
	if f.port < 0 || f.port > 65535 {
		return usagef("--port %d is invalid: 0 to 65535", f.port)
	}
	for _, h := range f.allowed {
		if h == "" || strings.ContainsAny(h, "/:*@ ") {
			return usagef("--allowed-host %s is invalid: a host name, without port or wildcard", h)
		}
	}
	if f.notes != "" && (f.noWatch || f.noNotes || filepath.Ext(f.notes) != ".json") {
		return usagef("--notes takes a file whose name ends in .json, and not --no-watch or --no-notes")
	}
	if f.host != "localhost" && net.ParseIP(f.host) == nil {
		f.allowed = append(f.allowed, f.host)
	}
	if !f.noWatch {
		if f.out != "" {
			return nil
		}
		var err error
		f.out, err = f.cacheFolder(sources, elsewhere)
		f.pruneFiltered = true // the folder is only for these flags
		return err
	}
	if len(sources) > 0 {
		return usagef("--no-watch builds nothing: name the folder of the site with -o, not %s", sources[0])
	}
	f.out = cmp.Or(f.out, "site")
	if _, err := os.Stat(filepath.Join(f.out, "index.html")); err != nil {
		return &failure.Error{
			Err: fmt.Errorf("no site in %s", f.out), Hint: "viewer build -o " + f.out +
				" makes one; without --no-watch serve does so itself",
		}
	}
	return nil
}

// elsewhere is the hint for a cache folder that cannot be made.
const elsewhere = "use -o to choose the folder of the site"

// cacheFolder returns the folder for the site of these sources and flags. No other user can read it.
func (f *serveFlags) cacheFolder(sources []string, hint string) (string, error) {
	folder, err := f.cachePath(sources)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(folder), 0o700)
	}
	if err != nil {
		return "", failure.New(fmt.Errorf("finding a cache folder: %w", failure.Cause(err)), hint)
	}
	return folder, nil
}

// cachePath returns the path of that folder, which may not exist.
func (f siteFlags) cachePath(sources []string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	if len(sources) == 0 {
		sources = sitegen.UsualSources()
	}
	h := sha256.New()
	for _, s := range sources {
		full, err := filepath.Abs(s)
		if err != nil {
			full = s
		}
		fmt.Fprintf(h, "%q\n", full)
	}
	f.force = false
	fmt.Fprintf(h, "%+v", f)
	return filepath.Join(cache, "viewer", hex.EncodeToString(h.Sum(nil)[:8])), nil
}

func (f *serveFlags) listen() (net.Listener, error) {
	at := func(port int) (net.Listener, error) {
		return net.Listen("tcp", net.JoinHostPort(f.host, strconv.Itoa(port)))
	}
	l, err := at(f.port)
	if f.anyPort && isPortTaken(err) {
		l, err = at(0)
	}
	if err == nil {
		return l, nil
	}
	var inner *os.SyscallError
	var name *net.DNSError
	switch {
	case isPortTaken(err):
		err = errors.New("address already in use")
	case errors.As(err, &inner):
		err = inner.Err
	case errors.As(err, &name):
		err = errors.New(name.Err)
	}
	return nil, &failure.Error{
		Err:  fmt.Errorf("listening on %s: %w", net.JoinHostPort(f.host, strconv.Itoa(f.port)), err),
		Hint: "use --port to choose another port, 0 for any that is free; --host takes an address of this machine",
	}
}

// run serves while body runs, until its context ends.
func (f *serveFlags) run(ctx context.Context, u *ui, l net.Listener, s *serve.Server,
	body func(context.Context)) error {
	address := f.address(l)
	serving, wait := s.Start(ctx, l)
	if ip := l.Addr().(*net.TCPAddr).IP; !ip.IsLoopback() {
		u.warn("whoever reaches this machine at %s can read these sessions", l.Addr())
		if f.notes != "" {
			u.warn("and can write notes to %s", f.notes)
		}
	}
	u.line("serving; press Ctrl-C to stop")
	u.print("%s\n", address)
	if f.open {
		if err := openBrowser(address); err != nil {
			u.warn("opening a browser: %v", err)
		}
	}
	body(serving)
	if err := wait(); err != nil {
		return err
	}
	return errStopped
}

// address returns the address for a browser on this machine.
func (f *serveFlags) address(l net.Listener) string {
	at := l.Addr().(*net.TCPAddr)
	host := at.IP.String()
	if at.IP.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, strconv.Itoa(at.Port)) + "/"
}

// openBrowser opens an address in the browser of the system.
func openBrowser(address string) error {
	command := []string{"xdg-open"}
	switch runtime.GOOS {
	case "darwin":
		command = []string{"open"}
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	c := exec.Command(command[0], append(command[1:], address)...)
	if err := c.Start(); err != nil {
		return err
	}
	return c.Process.Release()
}
