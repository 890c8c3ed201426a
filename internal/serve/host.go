package serve

import (
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
)

// hostAllowed reports whether a request is meant for this server. Anybody can make a name point to this machine. The
// browser then sends that name, and a page loaded under it must not read what is served here. So the host must be an IP
// address of this machine, localhost, or an allowed name. "localhost." is none, because some systems ask a name server
// for it.
func (s *Server) hostAllowed(r *http.Request) bool {
	host, ok := hostName(r.Host)
	if !ok {
		return false
	}
	name := strings.ToLower(host)
	if name == "localhost" || s.hosts[strings.TrimSuffix(name, ".")] {
		return true
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || ip.Zone() != "" {
		return false
	}
	ip = ip.Unmap()
	return ip.IsLoopback() || ip == addressOf(r)
}

// hostName removes the port and the brackets of an IPv6 address from a Host header.
func hostName(header string) (string, bool) {
	host, port := header, ""
	if i := strings.LastIndexByte(header, ':'); i >= 0 && !strings.HasSuffix(header, "]") {
		host, port = header[:i], header[i+1:]
		if _, err := strconv.ParseUint(port, 10, 16); err != nil || strings.TrimLeft(port, "0123456789") != "" {
			return "", false
		}
	}
	if inner, ok := strings.CutPrefix(host, "["); ok {
		inner, ok = strings.CutSuffix(inner, "]")
		return inner, ok && strings.Contains(inner, ":")
	}
	return host, host != "" && !strings.Contains(host, ":")
}

// addressOf returns the address of this machine to which a request came. It is always allowed as a host.
func addressOf(r *http.Request) netip.Addr {
	a, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	ip, _ := netip.AddrFromSlice(a.IP)
	return ip.Unmap()
}
