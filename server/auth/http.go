package auth

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"nightshift/server/access"
	"nightshift/server/fault"
)

const cookieName = "nightshift_session"

type requestKey struct{}

// request is what the room needs of HTTP: where to set the cookie, who knocks.
type request struct {
	w              http.ResponseWriter
	address, agent string
}

// Middleware puts the viewer into the request. A secret that proves nothing makes the viewer nobody, and says why to those who ask.
func (r *Room) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		cookie := ""
		if c, err := req.Cookie(cookieName); err == nil {
			cookie = c.Value
		}
		bearer := ""
		if h := req.Header.Get("Authorization"); h != "" {
			scheme, value, _ := strings.Cut(h, " ")
			if strings.EqualFold(scheme, "Bearer") {
				bearer = strings.TrimSpace(value)
			}
		}
		v, err := r.Identify(req.Context(), cookie, bearer)
		if err != nil {
			if fault.CodeOf(err) != fault.Unauthenticated {
				r.Log.Error("identifying a request", "error", err)
				http.Error(w, "The server cannot look up who you are at the moment. Try again.", http.StatusServiceUnavailable)
				return
			}
			v = &access.Viewer{}
		}
		ctx := access.With(req.Context(), v)
		agent := req.UserAgent()
		ctx = context.WithValue(ctx, requestKey{}, &request{w: w, address: addressFrom(req), agent: strings.ToValidUTF8(agent[:min(len(agent), 250)], "")})
		next.ServeHTTP(w, req.WithContext(ctx))
	})
}

// addressFrom is where a request comes from. A proxy on this host says it of those it speaks for; nobody else is believed.
func addressFrom(req *http.Request) string {
	peer, err := netip.ParseAddrPort(req.RemoteAddr)
	if err != nil {
		return ""
	}
	if peer.Addr().Unmap().IsLoopback() {
		all := strings.Split(strings.Join(req.Header.Values("X-Forwarded-For"), ","), ",")
		if last, err := netip.ParseAddr(strings.TrimSpace(all[len(all)-1])); err == nil {
			return last.String()
		}
	}
	return peer.Addr().String()
}

func (r *Room) setCookie(ctx context.Context, value string, lasts time.Duration) {
	req, ok := ctx.Value(requestKey{}).(*request)
	if !ok {
		return
	}
	http.SetCookie(req.w, &http.Cookie{
		Name: cookieName, Value: value, Path: r.BasePath + "/", MaxAge: int(lasts.Seconds()), HttpOnly: true, Secure: r.Secure, SameSite: http.SameSiteLaxMode,
	})
}

func addressOf(ctx context.Context) string {
	if req, ok := ctx.Value(requestKey{}).(*request); ok {
		return req.address
	}
	return ""
}

func agentOf(ctx context.Context) string {
	if req, ok := ctx.Value(requestKey{}).(*request); ok {
		return req.agent
	}
	return ""
}
